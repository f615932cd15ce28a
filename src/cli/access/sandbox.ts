import type { Config } from '../../config.ts'
import { Refusal } from '../../domain/refusal.ts'
import { sandboxNow, type VisibleSandbox } from '../../domain/sandbox.ts'
import { parseClockChange } from '../../domain/sandbox-clock.ts'
import { Failure } from '../failure.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { columns, print, printJson } from '../output.ts'
import { unknownPartner } from './partner.ts'

interface Options {
  json?: boolean
}

type Work = (on: Installation) => Promise<VisibleSandbox>

async function run(config: Config, partner: string, { json }: Options, message: string, work: Work): Promise<number> {
  return withInstallation(config, async (on) => {
    if ((await on.describePartner(partner)) === undefined) throw await unknownPartner(on, partner)
    const sandbox = await work(on).catch((error) => {
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

function printSandbox(sandbox: VisibleSandbox, message: string): void {
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
  return withInstallation(config, async (on) => {
    if ((await on.describePartner(partner)) === undefined) throw await unknownPartner(on, partner)
    const sandbox = await on.createSandbox(partner, chosen)
    if (options.json) printJson(sandboxNow(sandbox))
    else {
      printSandbox(sandbox, `Created the sandbox of ${partner}.`)
      print(`\nCreate a token for it with \`atrium token create ${sandbox.id} --name NAME\`.`)
    }
    return 0
  })
}

export function runSandboxShow(config: Config, owner: string, options: Options): Promise<number> {
  return run(config, owner, options, `Sandbox of ${owner}`, (on) => on.readSandbox(owner))
}

export function runSandboxReset(config: Config, owner: string, options: Options): Promise<number> {
  const message = `Reset the sandbox of ${owner} to its initial state.`
  return run(config, owner, options, message, (on) => on.resetSandbox(owner))
}

export function runSandboxClock(
  config: Config,
  owner: string,
  options: Options & { advance?: string; now?: string },
): Promise<number> {
  const { advance, now, ...rest } = options
  if ((advance === undefined) === (now === undefined)) throw new Failure('use either --advance or --now')
  const order = parseClockChange(now === undefined ? { advance } : { now })
  const move: Work = (on) => on.moveClock(owner, order)
  return run(config, owner, rest, `Moved the clock of the sandbox of ${owner}.`, move)
}

export function runSandboxRemove(config: Config, owner: string, options: Options): Promise<number> {
  const message = `Removed the sandbox of ${owner}. Its tokens are refused from now on.`
  return run(config, owner, options, message, (on) => on.removeSandbox(owner))
}
