import type { Tx } from './engine.ts'

const counterName = 'sandbox facility'
/** Far above those of real facilities, which may come with numbers of their own, and within 32 bits. */
const before = 2_000_000_000

/** The numbers of facilities in sandboxes are above the first of these, and not above the second. */
export async function sandboxNumbers(tx: Tx): Promise<[before: number, last: number]> {
  const kept = await tx.query.selectFrom('counter').select('value').where('name', '=', counterName).executeTakeFirst()
  return [before, kept?.value ?? before]
}

/** Numbers for facilities that nobody else gets, for whoever has the estate to themselves. */
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
