/** On every answer, refusals included: it is data for whoever asked, and no page may run, frame or embed it. */
const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}
/** Only over TLS, where browsers heed it: from then on they ask for nothing in the clear. */
const overTls = { ...always, 'strict-transport-security': 'max-age=31536000' }

export function securityHeaders(isEncrypted: boolean): Readonly<Record<string, string>> {
  return isEncrypted ? overTls : always
}

const unusedFeatures = 'display-capture=(), geolocation=(), microphone=(), payment=(), usb=()'

/** What a page of our own has instead: it may load what its policy names, and needs nothing of the visitor's machine. */
export function pageSecurity(policy: string, camera: 'camera=()' | 'camera=(self)' = 'camera=()') {
  return { 'content-security-policy': policy, 'permissions-policy': `${camera}, ${unusedFeatures}` }
}
