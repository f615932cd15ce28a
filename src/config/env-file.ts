import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError, type Env, readValue } from './read.ts'
import { fileSetting, secretSettings } from './settings.ts'

interface EnvFile {
  env: Env
  warnings: string[]
}

/** Adds the settings of `.env`, or of the file ATRIUM_ENV_FILE, to those of the environment, which take precedence. */
export function withEnvFile(env: Env, directory = process.cwd()): EnvFile {
  const chosen = env.ATRIUM_ENV_FILE
  if (chosen === 'off') return { env, warnings: [] }
  const file = resolve(directory, readValue(env, 'ATRIUM_ENV_FILE'))
  const text = readText(file, !chosen)
  if (text === undefined) return { env, warnings: [] }
  requireAssignments(file, text)
  const values = parseEnv(text) as Env
  const names = Object.keys(values).filter((name) => !isGiven(env, name))
  const added = Object.fromEntries(names.map((name) => [name, values[name]]))
  return { env: { ...added, ...env }, warnings: [...cutValues(file, text), ...readableSecrets(file, values)] }
}

function readText(file: string, isOptional: boolean): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Ignores a folder named `.env`, which belongs to something else, such as a virtual environment of Python.
    if (isOptional && (code === 'ENOENT' || code === 'EISDIR')) return undefined
    throw new ConfigError(`${file} cannot be read (${code}): correct it, or set ATRIUM_ENV_FILE to another file or off`)
  }
}

/** Matches the value of an assignment up to the end of its line. A quoted value can have line breaks. */
const value = '(?:"[^"]*"|\'[^\']*\'|`[^`]*`)?[^\\n]*\\n'
const assignment = `(?:export[ \\t]+)?[A-Za-z_]\\w*[ \\t]*=[ \\t]*${value}`
const understoodLines = new RegExp(`^(?:[ \\t]*(?:${assignment}|#[^\\n]*\\n|\\n))*`)

/** Refuses lines that Node's parser would silently skip, so that a mistyped setting is noticed. */
function requireAssignments(file: string, text: string): void {
  const lines = `${text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')}\n`
  const understood = understoodLines.exec(lines)?.[0] ?? ''
  if (understood.length === lines.length) return
  // Omits the line from the message, since it may contain a secret.
  throw new ConfigError(`${file}:${understood.split('\n').length}: a line must be NAME=value, or a comment after #`)
}

const quotedValue = /=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)/g
/** Matches an assignment whose unquoted value has a `#` in or before a word, where no comment was meant. */
const cutValue = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[^\n#]*(?<![ \t])#/gm

function cutValues(file: string, text: string): string[] {
  const names = Array.from(text.replace(quotedValue, '= ').matchAll(cutValue), ([, name]) => name)
  return names.map(
    (name) => `the value of ${name} in ${file} ends before its #: put the value in quotes to keep the rest`,
  )
}

/** Returns whether a setting is given, as `NAME` or as `NAME_FILE`, the name of a file that contains it. */
function isGiven(env: Env, name: string): boolean {
  const base = secretSettings.find((secret) => fileSetting(secret) === name) ?? name
  return env[base] !== undefined || env[fileSetting(base)] !== undefined
}

const othersMayRead = 0o004

function readableSecrets(file: string, values: Env): string[] {
  const secrets = secretSettings.filter((name) => isSecret(name, values[name] ?? ''))
  if (secrets.length === 0 || process.platform === 'win32') return []
  if ((statSync(file).mode & othersMayRead) === 0) return []
  return [`other users of this machine can read ${secrets.join(', ')} in ${file}: run \`chmod 600 ${file}\``]
}

/** Returns whether a value is secret. The address of a database or proxy is secret only if it contains a password. */
function isSecret(name: string, value: string): boolean {
  return /^(ATRIUM_DATABASE(_REPLICA)?|HTTPS_PROXY)$/.test(name)
    ? /\/\/[^/@]*:[^/@]+@|[?&]password=/.test(value)
    : value !== ''
}
