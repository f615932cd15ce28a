// Parses JSON for oracles, sharing no code with the service. Objects become Maps, so that no name of a member is
// special,
// and each key is parsed by itself: JSON.parse can replace an escaped key by another (nodejs/node#63785).

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = Map<string, Json>

const token = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g

export function readJson(text: string): Json {
  const tokens = text.match(token) ?? []
  let at = 0
  const value = (): Json => {
    const first = tokens[at++] ?? ''
    if (first === '[') return list()
    return first === '{' ? object() : JSON.parse(first)
  }
  const isEnd = (end: string) => {
    if (tokens[at] === ',') at++
    return tokens[at] === end && ++at > 0
  }
  const list = (): Json[] => {
    const items: Json[] = []
    while (!isEnd(']')) items.push(value())
    return items
  }
  const object = (): JsonObject => {
    const members: JsonObject = new Map()
    while (!isEnd('}')) {
      const name: string = JSON.parse(tokens[at] ?? '')
      at += 2
      members.set(name, value())
    }
    return members
  }
  return value()
}

/** Serializes a value canonically, independent of the order of members. */
export function sameText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(sameText).join()}]`
  if (!(value instanceof Map)) return JSON.stringify(value)
  const members = [...value].map(([name, member]) => `${JSON.stringify(name)}:${sameText(member)}`)
  return `{${members.sort().join()}}`
}
