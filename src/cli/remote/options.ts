import { type Config, type Env, readConfig } from '../../config.ts'
import { Failure } from '../failure.ts'
import { firstLine } from '../standard-input.ts'

export const remoteCommands = [
  'apply',
  'export',
  'partner',
  'token',
  'sandbox',
  'backup',
  'audit verify',
  'audit export',
]

export function readLocalConfig(env: Env): Config {
  refuseServer(env)
  return readConfig(env)
}

export function refuseServer({ ATRIUM_SERVER: server }: Env): void {
  if (!server) return
  throw new Failure('this command works on the database itself: use it without --server and ATRIUM_SERVER')
}

export async function withServerOptions(env: Env, { server, key }: { server?: string; key?: string }): Promise<Env> {
  if (key !== undefined && key !== '-') {
    throw new Failure('use --key - with the key on standard input, or ATRIUM_KEY_FILE: others can see a command line')
  }
  if (key !== undefined && !(server ?? env.ATRIUM_SERVER)) throw new Failure('--key is of no use without --server')
  return {
    ...env,
    ...(server !== undefined && { ATRIUM_SERVER: server }),
    ...(key === '-' && { ATRIUM_KEY: (await firstLine(process.stdin)).trim(), ATRIUM_KEY_FILE: undefined }),
  }
}
