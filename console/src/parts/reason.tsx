import { useWords } from '../app/language.tsx'
import { reasonWords } from './reason-words.ts'

/** Shows why a request was refused, with the code of the API on hover; a code without words is shown itself. */
export function Reason({ code }: { code: string | null }) {
  const words = useWords(reasonWords)
  return code === null ? null : <span title={code}>{words[code] ?? code}</span>
}
