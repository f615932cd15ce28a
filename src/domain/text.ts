// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/

export function hasControlCharacter(text: string): boolean {
  return controlCharacter.test(text)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to replace
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/g

/** Returns the text with U+FFFD for each control character. */
export function printable(text: string): string {
  return text.replace(controlCharacters, '\ufffd')
}

/** Counts code points: what people call characters, closer than UTF-16 units. */
export function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Whether a text has more characters than this. Few have as many units, and are counted. */
export function isLonger(text: string, maxCharacters: number): boolean {
  return text.length > maxCharacters && characters(text) > maxCharacters
}

/** The form in which names are compared while searching: no case, no accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** Every word of a text in that form, with a space before each: what a search in the database looks through. */
export function foldedWords(text: string): string {
  return ` ${(folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')}`
}

const wordStart = /[\p{L}\p{N}]+/gu

/** A test for texts of which a word, or the whole, begins with `query`. */
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
 * The same for an area or entry of a facility, by its name, its short id or its full id. `prefix` begins every full id of
 * the facility, so a query that is shorter than it would match all of them, and is no search by full id.
 */
export function roomMatcher(query: string, prefix: string): (name: string, short: string) => boolean {
  const matches = prefixMatcher(query)
  const wanted = folded(query).trim()
  const short = wanted.startsWith(folded(prefix)) ? wanted.slice(prefix.length) : undefined
  return (name, id) => matches(name, id) || (short !== undefined && folded(id).startsWith(short))
}

/** A copy. V8 keeps a part of a text as a view of the whole: an id that is remembered would keep the file or the request that it came in. */
export function copyText(text: string): string {
  return Buffer.from(text).toString()
}
