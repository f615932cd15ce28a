import type { Operator } from '../../../domain/access/operator.ts'
import type { Token } from '../../../domain/access/token.ts'
import type { ValueChange } from '../../../domain/audit/audit-detail.ts'
import { tokenValues } from '../../../domain/audit/estate-audit.ts'
import type { UndoDetail } from '../../../domain/audit/undo.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import { type Settings, settingNames } from '../../../domain/setting.ts'
import { findOperator } from '../../../storage/access/operator.ts'
import { listTokens } from '../../../storage/access/token.ts'
import { readSettings } from '../../../storage/setting.ts'
import { changeOperator, type OperatorChange } from '../../access/operator.ts'
import { changeToken, type TokenChange } from '../../access/token.ts'
import { changeSettings } from '../setting.ts'
import { overtaken, type UndoSteps, undoImpossible, valuesIn } from './undo-plan.ts'

function assertUnchanged(what: string, changes: ValueChange[], current: Record<string, unknown>): void {
  const changed = changes.find(({ key, after }) => JSON.stringify(current[key]) !== JSON.stringify(after))
  if (changed !== undefined) throw overtaken(`"${changed.key}" of ${what}`)
}

export function settingUndo({ changes = [] }: UndoDetail): UndoSteps | undefined {
  if (!changes.every(({ key }) => settingNames.some((name) => name === key))) return undefined
  const demand = (current: Settings) => assertUnchanged('the settings', changes, current)
  return {
    check: async (tx) => demand(await readSettings(tx)),
    run: async (db, actor) => ({ settings: await changeSettings(db, actor, valuesIn({ changes }, 'before'), demand) }),
  }
}

const tokenKeys: Record<string, keyof TokenChange> = {
  name: 'name',
  expires_at: 'expiresAt',
  allowed_ranges: 'allowedRanges',
}

export function tokenUndo(partner: string, id: string, { changes = [] }: UndoDetail): UndoSteps | undefined {
  if (!changes.every(({ key }) => key in tokenKeys)) return undefined
  const demand = (token: Token) => {
    if (token.revokedAt !== null) throw undoImpossible('The token is revoked, which cannot be undone.')
    assertUnchanged(`token ${id}`, changes, tokenValues(token))
  }
  const change = Object.fromEntries(changes.map((one) => [tokenKeys[one.key] as string, one.before])) as TokenChange
  return {
    check: async (tx) => {
      const token = (await listTokens(tx, partner)).find((one) => one.id === id)
      if (token === undefined) throw missingToken()
      demand(token)
    },
    run: async (db, actor) => {
      const token = await changeToken(db, id, change, actor, demand)
      if (token === 'unknown' || token === 'revoked') throw missingToken()
      return { token }
    },
  }
}

function missingToken(): Refusal {
  return undoImpossible('The token was removed with its partner.')
}

const operatorKeys = ['email', 'name', 'role', 'disabledAt'] as const

export function operatorUndo(id: string, { changes = [] }: UndoDetail): UndoSteps | undefined {
  if (changes.length === 0 || !changes.every(({ key }) => operatorKeys.some((known) => known === key))) return undefined
  const demand = (operator: Operator) => assertUnchanged(`operator ${operator.email}`, changes, { ...operator })
  const { disabledAt, ...others } = valuesIn({ changes }, 'before')
  const change: OperatorChange = { ...others, ...(disabledAt !== undefined && { disabled: disabledAt !== null }) }
  return {
    check: async (tx) => {
      const operator = await findOperator(tx, id)
      if (operator === undefined) throw undoImpossible('The operator has been removed.')
      demand(operator)
    },
    run: async (db, actor) => ({ operator: await changeOperator(db, actor, id, change, demand) }),
  }
}
