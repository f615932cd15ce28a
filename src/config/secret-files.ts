import { readFileSync } from 'node:fs'
import { ConfigError, type Env } from './read.ts'
import { fileSetting, secretSettings } from './settings.ts'

/** Replaces each `NAME_FILE`, the name of a file, by the setting `NAME` with the content of that file. */
export function withSecretFiles(env: Env): Env {
  const changes: Env = {}
  for (const name of secretSettings) {
    const fromFile = fileSetting(name)
    const file = env[fromFile]
    if (!file) continue
    if (env[name]) throw new ConfigError(`${fromFile} and ${name} are both set: remove one of them`)
    changes[name] = readSecret(fromFile, file)
    changes[fromFile] = undefined
  }
  return { ...env, ...changes }
}

/** Reads a secret from a file, without its final line break, which editors and `echo` add. */
function readSecret(setting: string, file: string): string {
  const secret = readText(setting, file).replace(/\r?\n$/, '')
  if (secret.trim() === '') throw new ConfigError(`${setting}: the file ${file} is empty`)
  if (/[\r\n]/.test(secret)) throw new ConfigError(`${setting}: the file ${file} must have a single line`)
  return secret
}

function readText(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`${setting}: the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
