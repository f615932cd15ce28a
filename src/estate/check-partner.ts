import { type Grant, readFields, roomOperations, writeFields } from '../domain/access/grant.ts'
import { parseRateLimit } from '../domain/access/rate-limit.ts'
import type { EstatePartner } from '../domain/estate.ts'
import { parseExactly } from '../domain/exact-json.ts'
import { isObject } from '../domain/json.ts'
import { compileContract } from '../domain/room/contract.ts'
import { type SlowPattern, slowPattern } from '../domain/room/slow-pattern.ts'
import { booleanValue, type Check, jsonData, listOf, nullable, objectOf, text } from './check.ts'
import { type CheckLimits, externalId, property } from './check-facility.ts'

type FindSlowPattern = (contract: string) => SlowPattern | undefined

/**
 * Returns the check of a partner. Searching a contract (a JSON Schema) for slow regular expressions can take seconds,
 * so a server must pass a function that does it in a worker thread.
 */
export function partnerCheck(
  limits: CheckLimits,
  findSlowPattern: FindSlowPattern = slowPattern,
): Check<EstatePartner> {
  return objectOf({
    keys: {
      id: { as: 'id', check: externalId },
      name: { as: 'name', check: property('name') },
      contract: { as: 'contract', check: nullable(contract(limits, findSlowPattern)) },
      rate_limit: { as: 'rateLimit', check: nullable(rateLimit) },
      webhooks: { as: 'webhooks', check: booleanValue },
      grants: { as: 'grants', check: listOf(grantCheck) },
    },
    required: ['id'],
  })
}

const rateLimit = text((value) =>
  parseRateLimit(value) === undefined ? 'must be like "100/s burst 1000", or "off"' : undefined,
)

/** Returns the check of a contract: a JSON Schema, as a map or as JSON text. The returned value is always text. */
function contract(limits: CheckLimits, findSlowPattern: FindSlowPattern): Check<string> {
  const anything = jsonData(limits.jsonDepth)
  return (value, path, report) => {
    const schema = typeof value === 'string' ? parsed(value) : value
    if (!isObject(schema) && typeof schema !== 'boolean') {
      report(path, 'must be a JSON Schema, as a map or as text that holds its JSON')
      return ''
    }
    let faults = 0
    anything(schema, path, (where, message) => {
      faults++
      report(typeof value === 'string' ? path : where, message)
    })
    if (faults > 0) return ''
    const json = JSON.stringify(schema)
    const fault = compileFault(json)
    if (fault !== undefined) {
      report(path, fault)
      return ''
    }
    const slow = findSlowPattern(json)
    if (slow !== undefined) report([...path, ...(typeof value === 'string' ? [] : slow.path)], slow.detail)
    return json
  }
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}

function compileFault(json: string): string | undefined {
  try {
    compileContract(json)
    return undefined
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ')
    return `is not a usable JSON Schema: ${message}`
  }
}

const facilityIds = listOf(externalId)

const coveredFacilities: Check<string[] | '*'> = (value, path, report) => {
  if (value === '*') return value
  if (!Array.isArray(value)) {
    report(path, 'must be "*" or a list of facility ids')
    return []
  }
  const ids = facilityIds(value, path, report)
  const seen = new Set<string>()
  ids.forEach((id, index) => {
    if (seen.has(id)) report([...path, index], `"${id}" is repeated`)
    seen.add(id)
  })
  return ids
}

/** Sorts names in the order of `known`. "*" stands for all names, also those that later versions add. */
function names<T extends string>(known: readonly T[]): Check<T[] | '*'> {
  return (value, path, report) => {
    if (value === '*') return value
    if (!Array.isArray(value)) {
      report(path, `must be "*" or a list out of ${known.join(', ')}`)
      return []
    }
    value.forEach((name, index) => {
      if (!known.includes(name)) report([...path, index], `must be one of ${known.join(', ')}`)
    })
    return known.filter((name) => value.includes(name))
  }
}

const grant = objectOf<Pick<Grant, 'facilities'> & Partial<Grant>>({
  keys: {
    facilities: { as: 'facilities', check: coveredFacilities },
    read: { as: 'read', check: names(readFields) },
    write: { as: 'write', check: names(writeFields) },
    rooms: { as: 'rooms', check: names(roomOperations) },
  },
  required: ['facilities'],
})

export const grantCheck: Check<Grant> = (value, path, report) => {
  const { facilities, read = [], write = [], rooms = [] } = grant(value, path, report)
  return { facilities, read, write, rooms }
}
