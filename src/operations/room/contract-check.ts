import { type Fault, Refusal, refusalFor } from '../../domain/refusal.ts'
import type { Contract } from '../../domain/room/contract.ts'

/**
 * A service to check against the partner's contract (a JSON Schema). `pointer` is where it is in the request body.
 * `forms` are the JSON objects that the partner could have sent for it, with and without the default status `active`;
 * the contract must accept one of them.
 */
export interface CheckedItem {
  pointer: string
  forms: object[]
}

/** Checks each service, given as its `forms`, outside of a transaction. Returns the faults of each. */
export type CheckContract = (items: object[][]) => Promise<Fault[][]>

/** Rolls back a transaction, which has changed nothing yet, because these services have to be checked first. */
class UncheckedItems extends Error {
  readonly items: object[][]

  constructor(items: object[][]) {
    super('items of a change have to be checked against the contract')
    this.items = items
  }
}

/** Throws `UncheckedItems` if a service has not been checked yet. */
export type AssertContract = (items: CheckedItem[]) => void

const maxAttempts = 8

/**
 * The changed services are known only inside the transaction, but checking them against the contract can take long. So
 * if one is not yet checked, the transaction is rolled back, a worker thread checks the service, and the transaction
 * runs again.
 */
export async function underContract<T>(
  contract: Contract | null,
  check: CheckContract,
  write: (assert: AssertContract) => Promise<T>,
): Promise<T> {
  const verdicts = new Map<string, Fault[]>()
  const assert: AssertContract = (items) => {
    if (contract === null) return
    const unchecked = items.filter(({ forms }) => !verdicts.has(JSON.stringify(forms)))
    if (unchecked.length > 0) throw new UncheckedItems(unchecked.map(({ forms }) => forms))
    const faults = items.flatMap(({ pointer, forms }) =>
      (verdicts.get(JSON.stringify(forms)) as Fault[]).map((fault) => ({ ...fault, pointer: pointer + fault.pointer })),
    )
    if (faults.length > 0) throw refusalFor('item_invalid', 'Nothing was changed.', faults)
  }
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    try {
      return await write(assert)
    } catch (error) {
      if (!(error instanceof UncheckedItems)) throw error
      const found = await check(error.items)
      for (const [index, forms] of error.items.entries()) verdicts.set(JSON.stringify(forms), found[index] ?? [])
    }
  }
  const detail = 'Others changed the room again and again while this change was checked. Nothing was changed.'
  throw new Refusal('overloaded', detail, { retryAfterSeconds: 1 })
}
