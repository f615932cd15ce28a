import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Fault } from './refusal.ts'

/** A partner's own JSON Schema (2020-12) for the subscriptions it sends, as text. */
export type Contract = string

const compiled = new Map<Contract, ValidateFunction>()
const compiledAtMost = 200

/** Throws the compiler's own words when the contract is no usable JSON Schema. */
export function compileContract(contract: Contract): ValidateFunction {
  const known = compiled.get(contract)
  if (known !== undefined) return known
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true, logger: false })
  formats.default(ajv)
  const validate = ajv.compile(JSON.parse(contract))
  if (compiled.size >= compiledAtMost) compiled.clear()
  compiled.set(contract, validate)
  return validate
}

export function contractFaults(contract: Contract, item: object, pointer: string): Fault[] {
  const validate = compileContract(contract)
  if (validate(item)) return []
  return (validate.errors ?? []).map((error) => ({
    pointer: pointer + error.instancePath,
    detail: `The partner's contract: ${error.message ?? error.keyword}`,
  }))
}
