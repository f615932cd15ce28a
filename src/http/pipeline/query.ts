export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** Returns the Link header for the next page: the same list with the same filters (RFC 8288). */
export function nextPageLink(url: string, cursor: string): string {
  const parameters = new URLSearchParams(queryOf(url))
  parameters.set('cursor', cursor)
  return `<${url.split('?')[0]}?${parameters}>; rel="next"`
}
