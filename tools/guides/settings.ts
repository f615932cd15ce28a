import { settings } from '../../src/cli/settings.ts'
import { readConfig } from '../../src/config.ts'
import { table } from './table.ts'

/** Entries in the column of defaults that are descriptions, not values. */
const descriptions = /^(none|its host)$/

/** Returns a table of all settings, with the ranges that config.ts enforces. */
export function settingsTable(): string {
  const rows = settings.map(({ name, defaultValue, meaning }) => {
    const range = rangeOf(name)
    return [
      `\`${name}\``,
      descriptions.test(defaultValue) ? defaultValue : `\`${defaultValue}\``,
      range ? `${meaning}; ${range}` : meaning,
    ]
  })
  return table(['setting', 'default', 'meaning'], rows)
}

/** Returns the range of a numeric setting from the error for an invalid value; undefined for other settings. */
function rangeOf(name: string): string | undefined {
  try {
    readConfig({ [name]: '?' })
  } catch (error) {
    return /whole number (from \d+ to \d+)/.exec(String(error))?.[1]
  }
  return undefined
}
