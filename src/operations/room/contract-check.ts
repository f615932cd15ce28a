import { type Fault, Refusal, refusalFor } from '../../domain/refusal.ts'
import type { Contract } from '../../domain/room/contract.ts'

/** An item to check, with its JSON pointer in the body. The contract must accept one of its forms. */
export interface CheckedItem {
  pointer: string
  forms: object[]
}

/**
 * Checks items against a contract, outside of a transaction. Each item is a list of forms, of which one must be
 * accepted. Returns the faults of each item.
 */
export type CheckContract = (items: object[][]) => Promise<Fault[][]>

/**
 * Thrown inside a transaction, before it changes anything, if an item has not been checked against the contract yet.
 */
class UncheckedItems extends Error {
  readonly items: object[][]

  constructor(items: object[][]) {
    super('items of a change have to be checked against the contract')
    this.items = items
  }
}

/** Asserts that the contract accepts these items. */
export type AssertContract = (items: CheckedItem[]) => void

const maxAttempts = 8

/**
 * Runs a transaction whose changes must match a contract. The changed items are known only inside the transaction, but
 * a contract can take unbounded time to check. So if an item is not yet checked, the transaction ends, a worker thread
 * checks the item, and the transaction runs again.
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
