import { settings } from '../../src/config/settings.ts'
import { table } from '../../src/http/openapi/table.ts'

/** Entries in the column of defaults that are descriptions, not values. */
const descriptions = /^(none|its host)$/

/** Returns a table of all settings. */
export function settingsTable(): string {
  const rows = settings.map(({ name, default: value, meaning, range }) => [
    `\`${name}\``,
    descriptions.test(value) ? value : `\`${value}\``,
    range ? `${meaning}; from ${range[0]} to ${range[1]}` : meaning,
  ])
  return table(['setting', 'default', 'meaning'], rows)
}
