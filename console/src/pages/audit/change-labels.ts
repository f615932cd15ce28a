import { useWords } from '../../app/language.tsx'
import { installationWords } from '../settings/installation-words.ts'
import { keyWords } from './key-words.ts'

/** Returns the labels of everything an audit entry can say has changed, settings included. */
export function useChangeLabels(): Record<string, string> {
  const settings = Object.entries(useWords(installationWords)).map(([name, [label]]) => [name, label])
  return { ...useWords(keyWords), ...Object.fromEntries(settings) }
}
