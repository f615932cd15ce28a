// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

export function hasControlCharacter(text: string): boolean {
  return controlCharacter.test(text)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g

export function printable(text: string): string {
  return text.replace(controlCharacters, '\ufffd')
}

/** Counts code points, which are closer to what people call characters than UTF-16 units are. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Counts code points only if the text has more UTF-16 units than allowed, since counting is slow. */
export function isLonger(text: string, maxCharacters: number): boolean {
  return text.length > maxCharacters && characters(text) > maxCharacters
}

/** Converts a text to lower case without accents, for searches. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Puts a space before each word, for a column that `like '% word%'` searches. */
export function foldedWords(text: string): string {
  return ` ${(folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')}`
}

const wordStart = /[\p{L}\p{N}]+/gu

/** Matches texts that begin with `query`, or have a word that does, ignoring case and accents. */
export function prefixMatcher(query: string): (...texts: string[]) => boolean {
  const wanted = folded(query).trim()
  const matches = (text: string) => {
    const whole = folded(text)
    if (whole.startsWith(wanted)) return true
    for (const word of whole.matchAll(wordStart)) if (whole.startsWith(wanted, word.index)) return true
    return false
  }
  return (...texts) => texts.some(matches)
}

/**
 * Matches the start of a room's name, of a word in it, or of its short or full id. `prefix` is the start of all full
 * ids of the facility: a shorter query is not compared with full ids, since it would match every room.
 */
export function roomMatcher(query: string, prefix: string): (name: string, short: string) => boolean {
  const matches = prefixMatcher(query)
  const wanted = folded(query).trim()
  const short = wanted.startsWith(folded(prefix)) ? wanted.slice(prefix.length) : undefined
  return (name, id) => matches(name, id) || (short !== undefined && folded(id).startsWith(short))
}

/** Copies a text before it is cached: V8 stores substrings as views, which keep the whole request in memory. */
export function copyText(text: string): string {
  return Buffer.from(text).toString()
}
