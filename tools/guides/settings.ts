import { settings } from '../../src/cli/settings.ts'
import { readConfig } from '../../src/config.ts'
import { table } from './table.ts'

/** What is no value of the setting, but says what holds. */
const words = /^(none|its host)$/

/** Every setting with what config.ts itself says that it takes. */
export function settingsTable(): string {
  const rows = settings.map(({ name, standard, meaning }) => {
    const taken = takes(name)
    return [
      `\`${name}\``,
      words.test(standard) ? standard : `\`${standard}\``,
      taken ? `${meaning}; ${taken}` : meaning,
    ]
  })
  return table(['setting', 'without it', 'meaning'], rows)
}

/** The range of a number, from the refusal of what is none. The other kinds are explained by their meaning. */
function takes(name: string): string | undefined {
  try {
    readConfig({ [name]: '?' })
  } catch (error) {
    return /whole number (from \d+ to \d+)/.exec(String(error))?.[1]
  }
  return undefined
}
