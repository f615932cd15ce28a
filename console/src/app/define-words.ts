export type Language = 'en' | 'fr'

/** Texts of a page: the same keys in each language. */
export type Words<T> = Record<Language, T>

/** Pairs the texts of both languages; French is written with plain spaces and typeset here. */
export function defineWords<T>(en: T, fr: NoInfer<T>): Words<T> {
  return { en, fr: typeset(fr) }
}

/** Applies French spacing to all texts of a table, also to those that its functions return. */
function typeset<T>(words: T): T {
  if (typeof words === 'string') return frenchSpacing(words) as T
  if (Array.isArray(words)) return words.map(typeset) as T
  if (typeof words === 'function') return ((...given: unknown[]) => typeset(words(...given))) as T
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, typeset(value)])) as T
}

/** Replaces the spaces around French punctuation by non-breaking ones. */
export function frenchSpacing(text: string): string {
  return text
    .replaceAll(/ (?=[;!?](?!\S))/g, '\u202f')
    .replaceAll(/ (?=[:»](?!\S)|»)/g, '\u00a0')
    .replaceAll('« ', '«\u00a0')
}
