/** Formats an item of a block list: one key per line, and in a list of maps one map per line. */
export function yamlItem(item: object): string {
  const known = Object.entries(item).filter(([, value]) => value !== undefined)
  const lines = known.map(([key, value]) => `${key}:${blockValue(value)}`)
  return `  - ${lines.join('\n    ')}\n`
}

function blockValue(value: unknown): string {
  const ofMaps = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'object')
  if (ofMaps) return value.map((item) => `\n      - ${flow(item)}`).join('')
  return ` ${typeof value === 'string' && url.test(value) ? value : flow(value)}`
}

/** Formats a value on one line. Quotes text that some version of YAML would read as a number or another type. */
function flow(value: unknown): string {
  if (typeof value === 'string') return plain.test(value) && !ambiguous.test(value) ? value : quoted(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${flow(key)}: ${flow(member)}`)
  return `{${members.join(', ')}}`
}

const plain = /^\p{L}[\p{L}\p{M}\p{N}_./()&+@°’'-]*(?: [\p{L}\p{M}\p{N}_./()&+@°’'-]+)*$/u
/** Matches URLs, which stay unquoted in block maps only: in flow maps, the colon could end a key. */
const url = /^https?:\/\/[A-Za-z0-9_./?=&%+~-]+$/

/** Matches words that YAML 1.1 or 1.2 reads as null or a boolean. */
const ambiguous = /^(?:null|true|false|yes|no|on|off|y|n)$/i

/** Formats a text as a JSON string, which is valid YAML once control and invisible characters are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\u2028\u2029]/gu, escaped)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
