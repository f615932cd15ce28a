const etags = new WeakMap<object, string>()

/** Returns the version of a resource. As `ifMatch`, it permits a change only if the resource has not changed since. */
export function etagOf(body: object): string | undefined {
  return etags.get(body)
}

export function noteEtag(body: unknown, etag: string | null): void {
  if (typeof body === 'object' && body !== null && etag !== null) etags.set(body, etag)
}
