import { readConfig } from '../../src/config.ts'
import { type EstateItem, faultList } from '../../src/domain/estate.ts'
import { readEstate } from '../../src/estate/read.ts'
import { createToken } from '../../src/operations/access/token.ts'
import { applyEstate } from '../../src/operations/estate/apply-estate.ts'
import type { Db } from '../../src/storage/database.ts'

const nothing = () => {}

/** Applies an estate, in the shape of the estate file, as `atrium apply` does. */
export async function seed(db: Db, estate: object, { prune = false } = {}): Promise<void> {
  const text = JSON.stringify(estate)
  const items: EstateItem[] = []
  const outline = await readEstate(
    { bytes: Buffer.byteLength(text), chunks: () => [text].values() as Generator<string>, close: nothing },
    { limits: readConfig({}).limits, progress: nothing },
    { add: (item) => void items.push(item), clear: () => void items.splice(0) },
    faultList(),
  )
  const observer = { begin: nothing, difference: nothing, itemDone: nothing }
  await applyEstate(db, { items: () => items, ...outline }, { dryRun: false, prune }, observer)
}

/** Creates a token for each partner. */
export async function tokensFor(db: Db, partners: { id: string }[], name = 'test'): Promise<Record<string, string>> {
  const tokens: Record<string, string> = {}
  for (const { id } of partners) {
    const issued = await createToken(db, { partner: id, name, expiresAt: null, allowedRanges: [] })
    tokens[id] = issued?.secret ?? ''
  }
  return tokens
}
