export const sessionCookie = 'atrium_session'

/** The value of the session cookie; nothing when there is none, or more than one. */
export function sessionSecretIn(header: string | undefined): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .filter(([name]) => name === sessionCookie)
    .map(([, value]) => value)
  const [value] = values
  return values.length === 1 && value !== undefined && /^[0-9A-Za-z]{43}$/.test(value) ? value : undefined
}

/** Out of reach of scripts and of other sites; it ends with the session. */
export function setSessionCookie(secret: string, expiresAt: string, isSecure: boolean): Record<string, string> {
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000))
  return { 'set-cookie': cookie(secret, seconds, isSecure) }
}

export function clearSessionCookie(isSecure: boolean): Record<string, string> {
  return { 'set-cookie': cookie('', 0, isSecure) }
}

function cookie(value: string, maxAgeSeconds: number, isSecure: boolean): string {
  const secure = isSecure ? '; Secure' : ''
  return `${sessionCookie}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}
