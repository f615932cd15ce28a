const between = /[,;\t\r\n]+/

/** Splits pasted ids at commas, semicolons, line breaks and spaces; a name of several words stays one text. */
export function idsInText(text: string): string[] {
  const parts = text.split(between).map((part) => part.trim())
  const ids = parts.flatMap((part) => (part.split(/\s+/).every(isLikeAnId) ? part.split(/\s+/) : [part]))
  return ids.filter((id) => id !== '')
}

/** Splits typed ids once a comma or a semicolon ends the last one. */
export function typedIds(text: string): string[] {
  return between.test(text) ? idsInText(text) : []
}

/** Heuristic: ids nearly always contain a digit, dot, hyphen or underscore; words of a name rarely do. */
export function isLikeAnId(word: string): boolean {
  return /[\d._-]/.test(word)
}
