const sessionCookie = 'atrium_session'

/** Holds the secrets of a sign-in at the OpenID provider, so that only the browser that began it can finish it. */
const attemptCookie = 'atrium_sign_in'

export function sessionSecretIn(header: string | undefined): string | undefined {
  const value = valueIn(header, sessionCookie)
  return value !== undefined && /^[0-9A-Za-z]{43}$/.test(value) ? value : undefined
}

export function attemptIn(header: string | undefined): string | undefined {
  return valueIn(header, attemptCookie)
}

/** Returns the value of a cookie, undefined if it is missing or sent more than once. */
function valueIn(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .filter(([found]) => found === name)
    .map(([, value]) => value)
  return values.length === 1 ? values[0] : undefined
}

export function setSessionCookie(secret: string, expiresAt: string, isSecure: boolean): Record<string, string> {
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000))
  return { 'set-cookie': cookie(`${sessionCookie}=${secret}; Path=/`, seconds, isSecure) }
}

/**
 * Sets the cookie of a sign-in attempt, which browsers send to the sign-in routes only. Because of SameSite=Strict, it
 * is missing from the redirect by the OpenID provider; the console page then sends the result in a request of its own,
 * which has the cookie.
 */
export function setAttemptCookie(sealed: string, seconds: number, isSecure: boolean): Record<string, string> {
  return { 'set-cookie': cookie(`${attemptCookie}=${sealed}; Path=/cms/v1/sign-in`, seconds, isSecure) }
}

export function clearSessionCookie(isSecure: boolean): Record<string, string> {
  return { 'set-cookie': cookie(`${sessionCookie}=; Path=/`, 0, isSecure) }
}

function cookie(pair: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${pair}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}
