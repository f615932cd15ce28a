// Loaded before the program: ends it with SIGKILL when the statement of that number has been carried out.
import { writeSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

const killAt = Number(process.env.KILL_AT)
let statements = 0

function carriedOut(): void {
  statements++
  if (statements === killAt) process.kill(process.pid, 'SIGKILL')
}

type Methods = Record<string, (...args: unknown[]) => unknown>

function watch(owner: object, method: string): void {
  const original = (owner as Methods)[method] as Methods[string]
  ;(owner as Methods)[method] = function (this: unknown, ...args) {
    const result = original.apply(this, args)
    carriedOut()
    return result
  }
}

watch(DatabaseSync.prototype, 'exec')
watch(StatementSync.prototype, 'all')
watch(StatementSync.prototype, 'run')

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: unknown, ...args: unknown[]) {
  const result = query.apply(this, args)
  if (result instanceof Promise) result.then(carriedOut, carriedOut)
  return result
} as typeof pg.Client.prototype.query

process.on('exit', () => writeSync(2, `carried out ${statements} statements\n`))
