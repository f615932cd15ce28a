/** Headers of every response, including errors: browsers must not run, frame or embed it as a page. */
const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}
/** Adds HSTS over TLS only, since browsers ignore it without TLS (RFC 6797, section 8.1). */
const overTls = { ...always, 'strict-transport-security': 'max-age=31536000' }

export function securityHeaders(isEncrypted: boolean): Readonly<Record<string, string>> {
  return isEncrypted ? overTls : always
}

export function contentPolicy(sources: string, formAction = "'none'"): string {
  return `default-src 'none'; ${sources}; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`
}

const unusedFeatures = 'display-capture=(), geolocation=(), microphone=(), payment=(), usb=()'

/** Headers of Atrium's own pages: a content security policy of their own, and no devices such as the camera. */
export function pageSecurity(policy: string, camera: 'camera=()' | 'camera=(self)' = 'camera=()') {
  return { 'content-security-policy': policy, 'permissions-policy': `${camera}, ${unusedFeatures}` }
}
