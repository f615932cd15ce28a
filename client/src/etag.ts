const etags = new WeakMap<object, string>()

/**
 * Returns the version of what a call returned. As `ifMatch`, it permits a change only if nothing has changed since.
 * Throws if the service gave none for it, because without a condition the change would overwrite what others did.
 */
export function etagOf(resource: object): string {
  const etag = etags.get(resource)
  if (etag !== undefined) return etag
  throw new TypeError(
    'The service gave no ETag for this object. It gives one for a facility, a room, the services of a room and an ' +
      'autocomplete list, as a call returned them; for rooms in a list and for lists read in pages it gives none.',
  )
}

export function noteEtag<T>(resource: T, etag: string | null): T {
  if (typeof resource === 'object' && resource !== null && etag !== null) etags.set(resource, etag)
  return resource
}
