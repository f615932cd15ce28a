import type { RefusalCode } from '../../domain/refusal.ts'
import { STATUS_CODES } from '../adapters/http-module.ts'
import { problemType } from '../pipeline/problem.ts'
import { type Json, ref } from './json-schema.ts'
import { isCommon } from './refusals.ts'

export interface Operation extends Json {
  operationId: string
  tags: string[]
  responses: Record<string, Json>
}

export type Paths = Record<string, Record<string, Operation>>

interface Route {
  method: string
  path: string
}

export function pathsOf<T extends Route>(routes: readonly T[], operationOf: (route: T) => Operation): Paths {
  const item = (some: T[]) => some.map((route) => [route.method.toLowerCase(), operationOf(route)])
  const byPath = Map.groupBy(routes, ({ path }) => path)
  return Object.fromEntries([...byPath].map(([path, some]) => [path, Object.fromEntries(item(some))]))
}

export function parametersIn(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
}

/**
 * Moves responses that several operations share to the components of the document. OpenAPI cannot refer to a group of
 * headers, so whole responses are shared.
 */
export function shareResponses(paths: Paths): { paths: Paths; responses: Json } {
  const responses: Json = {}
  const uses = Map.groupBy(responsesIn(paths), ({ response }) => JSON.stringify(response))
  for (const [first, ...others] of uses.values()) {
    if (first === undefined || others.length === 0) continue
    const name = candidateNames(first).find((candidate) => !(candidate in responses)) as string
    responses[name] = first.response
    for (const { operation, status } of [first, ...others]) operation.responses[status] = ref('responses', name)
  }
  return { paths, responses }
}

interface Use {
  operation: Operation
  status: string
  response: Json
}

function responsesIn(paths: Paths): Use[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  return operations.flatMap((operation) =>
    Object.entries(operation.responses).map(([status, response]) => ({ operation, status, response })),
  )
}

/**
 * Lists possible names of a shared response, from the most general to the most specific. The last contains the
 * operation's id, so no other response can have it.
 */
function candidateNames({ operation, status, response }: Use): string[] {
  const ofOperation = pascal(operation.operationId)
  if (status === '200') return [schemaOf(response) ?? ofOperation, ofOperation]
  const name = refusalsOf(response) ?? statusName(status) + listName(response)
  return [name, `${pascal(operation.tags[0] ?? '')}${name}`, `${ofOperation}${statusName(status)}`]
}

function schemaOf({ content }: Json): string | undefined {
  const { schema } = (content as Record<string, { schema: { $ref?: string } }>)['application/json'] ?? {}
  return schema?.$ref?.split('/').at(-1)
}

function refusalsOf({ content = {} }: Json): string | undefined {
  const { examples = {} } = (content as Record<string, { examples?: Json }>)[problemType] ?? {}
  const codes = (Object.keys(examples) as RefusalCode[]).filter((code) => !isCommon(code))
  return codes.length === 0 ? undefined : codes.map(pascal).join('Or')
}

function listName({ headers = {} }: Json): string {
  if (!('Link' in (headers as Json))) return ''
  return 'X-Total-Count' in (headers as Json) ? 'CountedPage' : 'Page'
}

function statusName(status: string): string {
  return pascal(STATUS_CODES[status] ?? '')
}

function pascal(words: string): string {
  return words.replace(/(?:^|[ _])(\w)/g, (_match, letter) => letter.toUpperCase())
}
