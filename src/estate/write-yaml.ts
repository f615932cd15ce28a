/** An item of a block list: every value behind its key, lists of maps with one map to a line. */
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

/** YAML on one line, readable by every version of YAML: what could be taken for something else is in quotes. */
function flow(value: unknown): string {
  if (typeof value === 'string') return plain.test(value) && !ambiguous.test(value) ? value : quoted(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${flow(key)}: ${flow(member)}`)
  return `{${members.join(', ')}}`
}

const plain = /^\p{L}[\p{L}\p{M}\p{N}_./()&+@°’'-]*(?: [\p{L}\p{M}\p{N}_./()&+@°’'-]+)*$/u
/** Plain in a block only: in a flow map the colon would need care. */
const url = /^https?:\/\/[A-Za-z0-9_./?=&%+~-]+$/

/** Words that some version of YAML reads as null or a boolean. */
const ambiguous = /^(?:null|true|false|yes|no|on|off|y|n)$/i

/** JSON's strings are YAML's, but for characters that YAML wants escaped or that editors lose. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[\p{C}\u2028\u2029]/gu, escaped)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`
  }).join('')
}
