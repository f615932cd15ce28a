const admin = { identity: 'bench@bench.example', password: 'only-on-loopback' }

export const adminArguments = ['superuser', 'upsert', admin.identity, admin.password]

export type Api = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

/** Client of the API as superuser. */
export async function adminApi(url: string): Promise<Api> {
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: token, 'content-type': 'application/json' }
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${url}/api${path}`, { method, headers, ...text })
    const received = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} responds ${response.status}: ${received.slice(0, 500)}`)
    return received === '' ? {} : JSON.parse(received)
  }
  const { token } = await call('', 'POST', '/collections/_superusers/auth-with-password', admin)
  return (method, path, body) => call(token, method, path, body)
}
