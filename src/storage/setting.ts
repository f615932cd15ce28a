import { type SettingName, type Settings, settingFault, settingNames, settings } from '../domain/setting.ts'
import type { Tx } from './engine.ts'
import { statement } from './statement.ts'

const all = statement<{ name: string; value: string }>('select name, value from setting')

/** Reads all settings. One that is not stored, or is not valid in this version of Atrium, has its default. */
export async function readSettings(tx: Pick<Tx, 'rows'>): Promise<Settings> {
  const rows = await tx.rows(all)
  const set = new Map(rows.map(({ name, value }) => [name, Number(value)]))
  const pairs = settingNames.map((name) => {
    const value = set.get(name)
    return [name, settingFault(name, value) === undefined ? value : settings[name].default]
  })
  return Object.fromEntries(pairs) as Settings
}

const write = statement(`insert into setting (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`)

export function writeSetting(tx: Tx, name: SettingName, value: number): void {
  tx.post(write, name, String(value))
}
