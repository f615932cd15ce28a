const between = /[,;\t\r\n]+/

/** Ids that were pasted: between commas, semicolons, lines or blanks. A name of several words is one text. */
export function idsInText(text: string): string[] {
  const parts = text.split(between).map((part) => part.trim())
  const ids = parts.flatMap((part) => (part.split(/\s+/).every(isLikeAnId) ? part.split(/\s+/) : [part]))
  return ids.filter((id) => id !== '')
}

/** Ids that were typed, once a comma or a semicolon ends the last of them. */
export function typedIds(text: string): string[] {
  return between.test(text) ? idsInText(text) : []
}

/** Words of a name rarely hold a digit, a dot, a hyphen or an underscore; ids nearly always do. */
function isLikeAnId(word: string): boolean {
  return /[\d._-]/.test(word)
}
