/** Returns the words of a text in lower case and without accents, with a space before each word. */
export function foldedWords(text: string): string {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return ` ${(folded.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')}`
}
