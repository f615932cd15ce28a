import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config.ts'
import type { Operator } from '../../domain/access/operator.ts'
import { commandLine } from '../../domain/audit/audit.ts'
import { createOperator, findOperators } from '../../operations/access/operator.ts'
import { createSignInLink } from '../../operations/access/sign-in.ts'
import { createToken } from '../../operations/access/token.ts'
import { createSandbox } from '../../operations/cms/sandbox.ts'
import { isEstateEmpty, occupyDemoRooms } from '../../operations/estate/demo.ts'
import type { Db } from '../../storage/database.ts'
import { allPartners } from '../installation.ts'
import { columns } from '../output.ts'
import { type DemoLog, startDemoReceiver } from './demo-receiver.ts'

const estateFile = fileURLToPath(new URL('../../../demo/estate.yaml', import.meta.url))

interface DemoPartner {
  id: string
  name: string
  /** Absent if the facilities and partners existed before this start: tokens are shown only when they are created. */
  token?: string
}

export interface Demo {
  partners: DemoPartner[]
  /** The token for the sandbox of `vesta-tv`; absent if the facilities and partners existed before this start. */
  sandbox?: string
  /** The path of a sign-in link for the console; absent if the database has no demo operator. */
  signIn?: string
}

const demoEmail = 'demo@atrium.example'

/** Fills an empty database with the demo's facilities and partners. Leaves a database that has others as it is. */
export async function loadDemo(db: Db, config: Config, { send, log }: DemoLog): Promise<Demo> {
  if (!(await isEstateEmpty(db))) {
    await startDemoReceiver(db, { send, log }, false)
    return existingDemo(db)
  }
  const { applyEstateFile } = await import('./apply.ts')
  await applyEstateFile(db, estateFile, config.limits)
  await occupyDemoRooms(db, config.limits, config.eventEndingSeconds)
  await startDemoReceiver(db, { send, log }, true)
  const partners: DemoPartner[] = []
  for (const { id, name } of await allPartners(db)) {
    const issued = await createToken(db, { partner: id, name: 'demo', expiresAt: null, allowedRanges: [] })
    partners.push({ id, name, ...(issued && { token: issued.secret }) })
  }
  const draft = { email: demoEmail, name: 'Demo', role: 'admin', password: null } as const
  const operator = (await demoOperator(db)) ?? (await createOperator(db, commandLine, draft))
  return { partners, sandbox: await demoSandbox(db), signIn: await signInPath(db, operator) }
}

async function existingDemo(db: Db): Promise<Demo> {
  const operator = await demoOperator(db)
  const partners = await allPartners(db)
  return operator === undefined ? { partners } : { partners, signIn: await signInPath(db, operator) }
}

async function demoOperator(db: Db): Promise<Operator | undefined> {
  return (await findOperators(db)).find(({ email, disabledAt }) => email === demoEmail && disabledAt === null)
}

async function signInPath(db: Db, { id }: Operator): Promise<string> {
  return `/console/sign-in#link=${(await createSignInLink(db, commandLine, id)).secret}`
}

async function demoSandbox(db: Db): Promise<string> {
  const { id } = await createSandbox(db, commandLine, 'vesta-tv', ['annecy-01'])
  const issued = await createToken(db, { partner: id, name: 'demo', expiresAt: null, allowedRanges: [] })
  if (issued === undefined) throw new Error('the new sandbox does not exist')
  return issued.secret
}

export function demoView({ partners, sandbox, signIn }: Demo, url: string) {
  return {
    sandbox: sandbox ?? null,
    partners: partners.map(({ id, name, token = null }) => ({ id, name, token })),
    console: signIn === undefined ? null : url + signIn,
  }
}

/** Returns the text below the line `atrium ready`. The sign-in link comes last, where it is easiest to find. */
export function demoText({ partners, sandbox = '', signIn }: Demo, url: string): string {
  const tokenOf = (id: string) => partners.find((partner) => partner.id === id)?.token
  const [hotel, hospital] = [tokenOf('acme-pms'), tokenOf('vesta-tv')]
  const docs = `Console:       ${url}/console/\nDocumentation: ${url}/docs`
  const signInText =
    signIn === undefined
      ? withoutSignIn
      : `Sign in to the console with this link, once, within an hour:\n\n  ${url}${signIn}`
  if (hotel === undefined || hospital === undefined)
    return `\n${existingEstate(partners)}\n\n${docs}\n\n${signInText}\n`
  const rows = partners.map(({ id, name, token = '' }) => [id, name, token])
  const commands = curlCommands(url, hotel, hospital).map((command) => `  ${command}\n`)
  return `
The database was empty and now contains a demo estate: a hotel, a hospital, two partners, a sandbox and their tokens.

${columns([...rows, ['sandbox', 'A copy of the hospital', sandbox]], '  ')}

Try it: list the facilities of a partner, rename one, add a service to a room:

${commands.join('\n')}
The webhook of vesta-tv reports what happens in the hospital: this terminal shows each of its events.

${docs}

${signInText}
`
}

/** The program's name in help and messages: the installed command, or the launcher in a clone of the repository. */
const programName = basename(process.argv[1] ?? '') === 'atrium' ? 'atrium' : 'node bin/atrium.mjs'

const withoutSignIn = `To sign in to the console, create an operator; the command prints a link:\n\n  ${programName} operator create EMAIL --role admin`

function existingEstate(partners: DemoPartner[]): string {
  if (partners.length === 0)
    return `The database contains an estate without partners. Add them with \`${programName} apply FILE\`.`
  const command = `${programName} token create ${partners[0]?.id} --name demo`
  return `The database contains an estate already. Tokens are shown only when they are created; create another with\n\n  ${command}`
}

/** Returns example commands for a shell. Values are in single quotes and contain none, so they need no escaping. */
function curlCommands(url: string, hotel: string, hospital: string): string[] {
  const json = "-H 'Content-Type: application/json'"
  const as = (token: string) => `-H 'Authorization: Bearer ${token}'`
  const services = JSON.stringify([{ code: 'newspaper', label: 'Daily newspaper', end: inAWeek() }])
  const rename = JSON.stringify({ value: 'Deux Rives Lyon' })
  return [
    `curl -sS ${as(hotel)} ${url}/v1/facilities/`,
    `curl -sS -X PATCH ${as(hotel)} ${json} -d '${rename}' ${url}/v1/facilities/lyon-01/name`,
    `curl -sS -X POST ${as(hospital)} ${json} -d '${JSON.stringify({ value: services })}' ${url}/v1/areas/annecy-01-B-202/data_services`,
  ]
}

function inAWeek(): string {
  return new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
}
