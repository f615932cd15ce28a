import { useWords } from '../../app/language.tsx'
import { installationWords } from '../settings/installation-words.ts'
import { keyWords } from './key-words.ts'

/** Returns the labels of all properties that can change, including settings. */
export function useChangeLabels(): Record<string, string> {
  const settings = Object.entries(useWords(installationWords)).map(([name, [label]]) => [name, label])
  return { ...useWords(keyWords), ...Object.fromEntries(settings) }
}
