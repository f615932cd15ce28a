const etags = new WeakMap<object, string>()

/** Which version of a resource this is. Sent back as `ifMatch`, it lets a change through only where nothing has moved. */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer)
}

export function noteEtag(answer: unknown, etag: string | null): void {
  if (typeof answer === 'object' && answer !== null && etag !== null) etags.set(answer, etag)
}
