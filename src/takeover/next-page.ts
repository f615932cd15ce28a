const parameter = /\s*;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g
const linkValue = new RegExp(`<([^<>]*)>((?:${parameter.source})*)`, 'g')

/** The page that `Link: <…>; rel="next"` (RFC 8288) names. `base` is the address of the response. */
export function nextPage(link: string | null, base: string): string | undefined {
  for (const [, target = '', parameters = ''] of (link ?? '').matchAll(linkValue)) {
    for (const [, name = '', quoted, plain = ''] of parameters.matchAll(parameter)) {
      const isNext = (quoted ?? plain).toLowerCase().split(' ').includes('next')
      if (name.toLowerCase() === 'rel' && isNext) return URL.parse(target, base)?.href ?? target
    }
  }
  return undefined
}
