import type { Config } from '../../config.ts'
import { emailFault, normalEmail, type Operator, type Role, roles } from '../../domain/access/operator.ts'
import { passwordFault } from '../../domain/access/password.ts'
import { commandLine } from '../../domain/audit/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { createOperator, findOperators } from '../../operations/access/operator.ts'
import { createSignInLink } from '../../operations/access/sign-in.ts'
import { findNodeUrl } from '../../operations/node-url.ts'
import type { Db } from '../../storage/database.ts'
import { Failure } from '../failure.ts'
import { minute, print, printJson, table } from '../output.ts'
import { firstLine } from '../standard-input.ts'
import { withDatabase } from '../with-database.ts'
import { isAtrium, linkUrl } from './own-address.ts'

export interface OperatorOptions {
  name?: string
  role: string
  passwordStdin?: boolean
  json?: boolean
}

/** Creates an operator with a password from standard input or, without one, with a sign-in link that works once. */
export async function runOperatorCreate(config: Config, address: string, options: OperatorOptions): Promise<number> {
  const email = normalEmail(address)
  const fault = emailFault(email)
  if (fault !== undefined) throw new Failure(`"${address}" ${fault}`)
  const password = options.passwordStdin ? await passwordFromInput() : null
  return withDatabase(config, async (db) => {
    const draft = { email, name: options.name ?? email, role: parseRole(options.role), password }
    const operator = await createOperator(db, commandLine, draft).catch(refuse)
    const link = password === null ? await createSignInLink(db, commandLine, operator.id) : undefined
    const address = link && (await signInAddress(config, db))
    const url = link && `${address?.url}/console/sign-in#link=${link.secret}`
    if (options.json) printJson({ ...view(operator), link: url ?? null, link_expires_at: link?.expiresAt ?? null })
    else print(`Created operator ${operator.email} (${operator.role}).`)
    if (!options.json && address !== undefined) {
      const advice = address.isReachable ? '' : linkAdvice(address.url)
      print(`\nThis link works once, until ${minute(link?.expiresAt ?? '')}:\n\n  ${url}${advice}`)
    }
    return 0
  })
}

export function runOperatorList(config: Config, options: { json?: boolean }): Promise<number> {
  return withDatabase(config, async (db) => {
    const operators = await findOperators(db)
    if (options.json) printJson(operators.map(view))
    else if (operators.length === 0)
      print('No operators yet. Create one with `atrium operator create EMAIL --role admin`.')
    else {
      const rows = operators.map(({ email, name, role, disabledAt }) => [
        email,
        name,
        role,
        disabledAt ? 'disabled' : '',
      ])
      print(table(['E-MAIL', 'NAME', 'ROLE', ''], rows))
    }
    return 0
  })
}

function view({ id, email, name, role, createdAt, disabledAt }: Operator) {
  return { id, email, name, role, date_created: createdAt, date_disabled: disabledAt }
}

interface LinkAddress {
  url: string
  isReachable: boolean
}

/**
 * Returns the address for sign-in links. Prefers the one that the last started node stored, because this command can
 * run with other settings than the node.
 */
async function signInAddress(config: Config, db: Db): Promise<LinkAddress> {
  if (config.publicUrl !== null) return { url: config.publicUrl, isReachable: true }
  const nodeUrl = await findNodeUrl(db)
  if (nodeUrl !== undefined && (await isAtrium(nodeUrl))) return { url: nodeUrl, isReachable: true }
  const url = linkUrl(config)
  return { url, isReachable: await isAtrium(url) }
}

function linkAdvice(url: string): string {
  return `\n\nAtrium is not reachable at ${url} now. Start it there, or replace the address in the link with that of the service.
For correct links, set ATRIUM_PUBLIC_URL, or the ATRIUM_HOST, ATRIUM_PORT and ATRIUM_TLS_CERT of the service.`
}

function parseRole(text: string): Role {
  if (roles.includes(text as Role)) return text as Role
  throw new Failure(`--role must be one of ${roles.join(', ')}, not "${text}"`)
}

async function passwordFromInput(): Promise<string> {
  const password = await firstLine(process.stdin)
  const fault = passwordFault(password)
  if (fault === undefined) return password
  throw new Failure(`the password ${fault}`)
}

function refuse(error: unknown): never {
  if (error instanceof Refusal && error.code === 'operator_exists') {
    throw new Failure('an operator with this e-mail address exists already: see `atrium operator list`')
  }
  throw error
}
