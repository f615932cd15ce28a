import { keptCollections } from '../../tools/collections.ts'

/** A request as Bruno or Postman would send it, without the optional parts. */
export interface Collected {
  kind: 'bruno' | 'postman'
  method: string
  url: string
  variables: Record<string, string>
}

export function collectedRequests(): Collected[] {
  return [...keptCollections()].flatMap(([path, text]) =>
    path.endsWith('collection.json') ? inPostman(text) : inBruno(text),
  )
}

interface PostmanCollection {
  variable: { key: string; value: string }[]
  item: { item: { request: { method: string; url: { host: string[]; path: string[] } } }[] }[]
}

function inPostman(text: string): Collected[] {
  const { variable, item }: PostmanCollection = JSON.parse(text)
  const variables = Object.fromEntries(variable.map(({ key, value }) => [key, value]))
  return item
    .flatMap(({ item }) => item)
    .map(({ request: { method, url } }) => ({
      kind: 'postman',
      method,
      url: [...url.host, ...url.path].join('/'),
      variables,
    }))
}

function inBruno(text: string): Collected[] {
  const [, method, url] = /^(get|post|put|patch|delete) \{\n {2}url: (\S+)$/m.exec(text) ?? []
  const values = keptCollections().get('bruno/environments/demo.bru') ?? ''
  const variables = Object.fromEntries(
    Array.from(values.matchAll(/^ {2}(\w+): (.*)$/gm), ([, key, value]) => [key, value]),
  )
  return method === undefined || url === undefined
    ? []
    : [{ kind: 'bruno', method: method.toUpperCase(), url, variables }]
}
