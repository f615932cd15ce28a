import { useWords } from '../app/language.tsx'
import { reasonWords } from './reason-words.ts'

interface Props {
  code: string | null
  /** Code of the reason to show instead, where the code for the partner hides the real one. */
  as?: string | undefined
}

/** Shows why a request was refused, with the code of the API on hover; a code without words is shown itself. */
export function Reason({ code, as = code ?? '' }: Props) {
  const words = useWords(reasonWords)
  return code === null ? null : <span title={code}>{words[as] ?? code}</span>
}
