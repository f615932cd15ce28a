import type { Config } from '../../config.ts'
import { commandLine } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type Sandbox, sandboxNow } from '../../domain/sandbox.ts'
import { parseClockChange } from '../../domain/sandbox-clock.ts'
import { createSandbox, removeSandbox } from '../../operations/cms/sandbox.ts'
import { describePartner } from '../../operations/partner.ts'
import { moveClock, readSandbox, resetSandbox } from '../../operations/sandbox.ts'
import type { Db } from '../../storage/database.ts'
import { Failure } from '../failure.ts'
import { columns, print, printJson } from '../output.ts'
import { withDatabase } from '../with-database.ts'
import { unknownPartner } from './partner.ts'

interface Options {
  json?: boolean
}

type Work = (db: Db) => Promise<Sandbox>

const caller = { actor: commandLine }

async function run(config: Config, partner: string, { json }: Options, message: string, work: Work): Promise<number> {
  return withDatabase(config, async (db) => {
    if ((await describePartner(db, partner)) === undefined) throw await unknownPartner(db, partner)
    const sandbox = await work(db).catch((error) => {
      throw explained(error, partner)
    })
    if (json) printJson(sandboxNow(sandbox))
    else printSandbox(sandbox, message)
    return 0
  })
}

function explained(error: unknown, partner: string): unknown {
  if (!(error instanceof Refusal) || error.code !== 'sandbox_not_found') return error
  return new Failure(
    `${partner} has no sandbox: create one with \`atrium sandbox create ${partner} --facilities ID,ID\``,
  )
}

function printSandbox(sandbox: Sandbox, message: string): void {
  const { id, facilities, clock, last_reset } = sandboxNow(sandbox)
  const facts = [
    ['id', id],
    ['clock', `${clock.now}${clock.ahead_seconds === 0 ? '' : `, ${clock.ahead_seconds} seconds ahead`}`],
    ['last reset', last_reset ?? 'never'],
    ...facilities.map(({ id_external, copy_of }) => [id_external, `a copy of ${copy_of}`]),
  ]
  print(`${message}\n`)
  print(columns(facts))
}

export function runSandboxCreate(config: Config, partner: string, options: Options & { facilities: string }) {
  const chosen = options.facilities.split(',').map((id) => id.trim())
  return withDatabase(config, async (db) => {
    if ((await describePartner(db, partner)) === undefined) throw await unknownPartner(db, partner)
    const sandbox = await createSandbox(db, commandLine, partner, chosen)
    if (options.json) printJson(sandboxNow(sandbox))
    else {
      printSandbox(sandbox, `Created the sandbox of ${partner}.`)
      print(`\nCreate a token for it with \`atrium token create ${sandbox.id} --name NAME\`.`)
    }
    return 0
  })
}

export function runSandboxShow(config: Config, owner: string, options: Options): Promise<number> {
  return run(config, owner, options, `Sandbox of ${owner}`, (db) => readSandbox(db, { owner }))
}

export function runSandboxReset(config: Config, owner: string, options: Options): Promise<number> {
  const message = `Reset the sandbox of ${owner} to its initial state.`
  return run(config, owner, options, message, (db) => resetSandbox(db, caller, { owner }))
}

export function runSandboxClock(
  config: Config,
  owner: string,
  options: Options & { advance?: string; now?: string },
): Promise<number> {
  const { advance, now, ...rest } = options
  if ((advance === undefined) === (now === undefined)) throw new Failure('use either --advance or --now')
  const order = parseClockChange(now === undefined ? { advance } : { now })
  const move: Work = (db) => moveClock(db, caller, { owner }, order, config.eventEndingSeconds)
  return run(config, owner, rest, `Moved the clock of the sandbox of ${owner}.`, move)
}

export function runSandboxRemove(config: Config, owner: string, options: Options): Promise<number> {
  const message = `Removed the sandbox of ${owner}. Its tokens are refused from now on.`
  return run(config, owner, options, message, (db) => removeSandbox(db, commandLine, owner))
}
