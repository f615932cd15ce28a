import { createRequire } from 'node:module'
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { parseExactly } from '../exact-json.ts'
import { isObject, pointerTo } from '../json.ts'
import type { Fault } from '../refusal.ts'

/** The text of a partner's JSON Schema (2020-12), which the subscriptions that the partner sends must match. */
export type Contract = string

const compiled = new Map<Contract, ValidateFunction>()
const maxCompiled = 200

/** Compiles a contract, or takes it from a cache. Throws Ajv's error for an unusable JSON Schema. */
export function compileContract(contract: Contract): ValidateFunction {
  const known = compiled.get(contract)
  if (known !== undefined) return known
  const ajv = newCompiler()
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: isUnique })
  const validate = ajv.compile(parseExactly(contract) as object)
  if ('$async' in validate) throw new Error('"$async" is not supported')
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(contract, validate)
  return validate
}

const require = createRequire(import.meta.url)

/** Loads Ajv, which compiles JSON Schemas, only for the first contract, since most processes compile none. */
function newCompiler(): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  const formats: typeof import('ajv-formats') = require('ajv-formats')
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false })
  formats.default(ajv)
  return ajv
}

/** Loads Ajv in advance: loading it counts against the time limit of the first contract that is compiled. */
export function loadContractCompiler(): void {
  newCompiler()
}

/** Checks `uniqueItems`. Ajv's own check compares all pairs, which takes seconds for a few thousand objects. */
function isUnique(wanted: boolean, items: unknown[]): boolean {
  return !wanted || new Set(items.map(canonical)).size === items.length
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(byKey)) : member,
  )
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}

function allowed({ allowedValues }: { allowedValues?: unknown }): string {
  return allowedValues === undefined ? '' : ` (${JSON.stringify(allowedValues)})`
}

export function contractFaults(contract: Contract, item: object, pointer: string): Fault[] {
  const validate = compileContract(contract)
  if (validate(item) === true) return []
  return (validate.errors ?? []).map((error) => ({
    pointer: pointer + error.instancePath + refusedProperty(error),
    detail: `The partner's contract: ${error.message ?? error.keyword}${allowed(error.params)}`,
  }))
}

/** Returns the end of the JSON Pointer to a forbidden property: Ajv points only to the object that has it. */
function refusedProperty({ params, propertyName }: ErrorObject): string {
  const name = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName ?? propertyName
  return name === undefined ? '' : pointerTo(name)
}
