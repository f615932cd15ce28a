export function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

/** Returns the Link header (RFC 8288) to the next page of a list, with the same filters. */
export function nextPageLink(url: string, cursor: string): string {
  const parameters = new URLSearchParams(queryOf(url))
  parameters.set('cursor', cursor)
  return `<${url.split('?')[0]}?${parameters}>; rel="next"`
}
