/** Every word of a text without case and accents, with a space before each. */
export function foldedWords(text: string): string {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return ` ${(folded.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')}`
}
