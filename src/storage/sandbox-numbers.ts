import type { Tx } from './engine.ts'

const counterName = 'sandbox facility'
/**
 * Facilities in sandboxes get numbers above this one. Other facilities get lower numbers, which an estate file (YAML)
 * can choose. All numbers fit into 32 bits.
 */
const before = 2_000_000_000

/**
 * Returns the range of numbers that facilities in sandboxes have or had: above `before`, up to and including `last`.
 */
export async function sandboxNumbers(tx: Tx): Promise<[before: number, last: number]> {
  const counter = await tx.query
    .selectFrom('counter')
    .select('value')
    .where('name', '=', counterName)
    .executeTakeFirst()
  return [before, counter?.value ?? before]
}

/**
 * Assigns numbers to new facilities of a sandbox. The caller must hold the named lock `atrium estate`, so that two
 * transactions cannot assign the same number.
 */
export async function takeNumbers(tx: Tx, count: number): Promise<number[]> {
  const [, last] = await sandboxNumbers(tx)
  const numbers: number[] = []
  for (let next = last + 1; numbers.length < count; next++) if (await isFree(tx, next)) numbers.push(next)
  const value = numbers.at(-1) ?? last
  await tx.query
    .insertInto('counter')
    .values({ name: counterName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  return numbers
}

async function isFree(tx: Tx, id: number): Promise<boolean> {
  return (await tx.query.selectFrom('facility').select('id').where('id', '=', id).executeTakeFirst()) === undefined
}
