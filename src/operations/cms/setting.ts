import type { Actor } from '../../domain/audit/audit.ts'
import { type Settings, settingNames } from '../../domain/setting.ts'
import { recordAudit } from '../../storage/audit/audit.ts'
import type { Db } from '../../storage/database.ts'
import { readSettings, writeSetting } from '../../storage/setting.ts'
import type { Expect } from '../access/operator.ts'

export function findSettings(db: Db): Promise<Settings> {
  return db.read(readSettings)
}

export function changeSettings(
  db: Db,
  actor: Actor,
  change: Partial<Settings>,
  expect: Expect<Settings>,
): Promise<Settings> {
  return db.write(async (tx) => {
    await tx.lock('atrium settings')
    const current = await readSettings(tx)
    expect(current)
    const after = { ...current, ...change }
    const changed = settingNames.filter((name) => after[name] !== current[name])
    for (const name of changed) writeSetting(tx, name, after[name])
    const changes = changed.map((key) => ({ key, before: current[key], after: after[key] }))
    if (changed.length > 0) recordAudit(tx, { actor, action: 'setting.change', detail: { changes } })
    return after
  })
}
