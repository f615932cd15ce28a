/** A copy. V8 keeps a part of a text as a view of the whole: an id that is remembered would keep its piece of the file. */
export function ownText(text: string): string {
  return Buffer.from(text).toString()
}
