export const sessionCookie = 'atrium_session'

/** Holds what a browser began at the OpenID provider. */
const attemptCookie = 'atrium_sign_in'

export function sessionSecretIn(header: string | undefined): string | undefined {
  const value = valueIn(header, sessionCookie)
  return value !== undefined && /^[0-9A-Za-z]{43}$/.test(value) ? value : undefined
}

export function attemptIn(header: string | undefined): string | undefined {
  return valueIn(header, attemptCookie)
}

/** Nothing when there is none, or more than one. */
function valueIn(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .filter(([found]) => found === name)
    .map(([, value]) => value)
  return values.length === 1 ? values[0] : undefined
}

/** Out of reach of scripts and of other sites; it ends with the session. */
export function setSessionCookie(secret: string, expiresAt: string, isSecure: boolean): Record<string, string> {
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000))
  return { 'set-cookie': cookie(`${sessionCookie}=${secret}; Path=/`, seconds, isSecure) }
}

/** For no other path than those of signing in. The page that comes back from the provider asks by itself, so it may be strict. */
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
