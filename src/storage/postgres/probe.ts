import { statement } from '../statement.ts'
import { Connection } from './connection.ts'
import { codeOf, isUnreachable } from './errors.ts'
import { assertPostgres, assertSession, UnsupportedServer } from './server-check.ts'
import type { Server } from './servers.ts'

const responseTimeoutMs = 3000

export interface ProbeResult {
  name: string
  url: string
  /** Identifies a running server: servers with the same host name differ, and each restart changes it. */
  identity: string
}

const identify = statement<{ identity: string }>(`
  select concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) as identity`)

/** Tries, in order, the encryption modes that `sslmode` in ATRIUM_DATABASE permits. */
export async function probe({ name, urls }: Server): Promise<ProbeResult> {
  for (const [index, url] of urls.entries()) {
    try {
      return { name, url, identity: await identityOf(name, url) }
    } catch (error) {
      if (isUnreachable(error) || error instanceof UnsupportedServer || index === urls.length - 1)
        throw explained(error, name)
    }
  }
  throw new Error('ATRIUM_DATABASE names no server')
}

function identityOf(name: string, url: string): Promise<string> {
  return connected(url, async (connection) => {
    await assertPostgres(name, connection)
    await assertSession(name, connection, (work) => connected(url, work))
    const [row] = await connection.rows<{ identity: string }>(identify, [])
    return String(row?.identity)
  })
}

async function connected<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new Connection({ url })
  try {
    await connection.connect()
    const result = await connection.withTimeout(responseTimeoutMs, work(connection))
    void connection.end().catch(() => {})
    return result
  } catch (error) {
    connection.stream.destroy()
    throw error
  }
}

const certificateErrors =
  /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_CERT_|ERR_SSL_|INVALID_CA|INVALID_PURPOSE)/
const unencrypted = /does not support SSL|establishing an SSL connection/

/** Adds advice to errors that only the operator can fix. */
function explained(error: unknown, name: string): unknown {
  const { message } = error as Error
  if (certificateErrors.test(codeOf(error))) {
    return new UnsupportedServer(
      `the certificate of ${name} is not accepted (${message}): check sslmode and sslrootcert in ATRIUM_DATABASE`,
      { cause: error },
    )
  }
  if ((error as NodeJS.ErrnoException).syscall === 'open') {
    return new UnsupportedServer(
      `a file that sslrootcert, sslcert or sslkey in ATRIUM_DATABASE names cannot be read: ${message}`,
    )
  }
  if (unencrypted.test(message)) {
    return new UnsupportedServer(`${name} speaks no TLS: turn it on there, or check sslmode in ATRIUM_DATABASE`)
  }
  return error
}
