/** Sent with every response, refusals included: browsers must not run, frame or embed it as a page. */
const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}
/** HSTS is sent over TLS only, since browsers ignore it elsewhere (RFC 6797, 8.1). */
const overTls = { ...always, 'strict-transport-security': 'max-age=31536000' }

export function securityHeaders(isEncrypted: boolean): Readonly<Record<string, string>> {
  return isEncrypted ? overTls : always
}

const unusedFeatures = 'display-capture=(), geolocation=(), microphone=(), payment=(), usb=()'

/** Returns the headers that Atrium's own pages have instead: their content policy, and no access to device features. */
export function pageSecurity(policy: string, camera: 'camera=()' | 'camera=(self)' = 'camera=()') {
  return { 'content-security-policy': policy, 'permissions-policy': `${camera}, ${unusedFeatures}` }
}
