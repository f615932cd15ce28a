import { fileSetting, settingNames } from '../../config/settings.ts'
import { type Config, ConfigError, type Env, readConfig } from '../../config.ts'
import type { Finding } from '../../storage/engine.ts'
import { plural } from '../output.ts'
import { didYouMean } from '../similar.ts'

/** Reads the settings. Reports each invalid one as a finding and uses its default, so that the other checks can run. */
export function checkSettings(env: Env): { config: Config; findings: Finding[] } {
  const { config, findings } = readLeniently({ ...env })
  const known = settingNames()
  const set = Object.keys(env).filter((name) => /^ATRIUM_(?!TEST_)/i.test(name) && env[name] !== '')
  const unknown = set.filter((name) => !known.includes(name))
  for (const name of unknown) {
    const advice = `${didYouMean(name, known).replace(/^: d/, 'D') || 'Remove it.'} \`atrium --help\` lists the settings.`
    findings.push({ check: name, ok: false, detail: 'not a setting of Atrium, so it has no effect', advice })
  }
  if (findings.length > 0) return { config, findings }
  const detail =
    set.length === 0 ? 'none set: all have their defaults' : `${plural(set.length, 'set', 'set')}: ${set.join(', ')}`
  return { config, findings: [{ check: 'settings', ok: true, detail }] }
}

function readLeniently(env: Env): { config: Config; findings: Finding[] } {
  const findings: Finding[] = []
  for (;;) {
    try {
      return { config: readConfig(env), findings }
    } catch (error) {
      const name = error instanceof ConfigError ? /^\w+/.exec(error.message)?.[0] : undefined
      const given = name === undefined ? [] : [name, fileSetting(name)].filter((one) => env[one] !== undefined)
      if (name === undefined || given.length === 0) throw error
      findings.push({
        check: name,
        ok: false,
        detail: (error as Error).message,
        advice: 'Correct it, or remove it to use the default.',
      })
      for (const one of given) delete env[one]
    }
  }
}
