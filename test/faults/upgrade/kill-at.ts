// Preloaded: kills the process with SIGKILL after the statement with the given number.
import { writeSync } from 'node:fs'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

const killAt = Number(process.env.KILL_AT)
let statements = 0
let lastTable = 0

function carriedOut(text: string): void {
  statements++
  if (/^\s*create table (?!if)/i.test(text)) lastTable = statements
  if (statements === killAt) process.kill(process.pid, 'SIGKILL')
}

type Methods = Record<string, (...args: unknown[]) => unknown>

function watch(owner: object, method: string): void {
  const original = (owner as Methods)[method] as Methods[string]
  ;(owner as Methods)[method] = function (this: unknown, ...args) {
    const result = original.apply(this, args)
    carriedOut(this instanceof StatementSync ? this.sourceSQL : String(args[0]))
    return result
  }
}

watch(DatabaseSync.prototype, 'exec')
watch(StatementSync.prototype, 'all')
watch(StatementSync.prototype, 'run')

const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: unknown, ...args: unknown[]) {
  const result = query.apply(this, args)
  const [asked] = args as [string | { text: string }]
  const done = () => carriedOut(typeof asked === 'string' ? asked : asked.text)
  if (result instanceof Promise) result.then(done, done)
  return result
} as typeof pg.Client.prototype.query

process.on('exit', () => writeSync(2, `carried out ${statements} statements, the last table by ${lastTable}\n`))
