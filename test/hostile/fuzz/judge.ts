import type { WireAnswer } from '../../torture/wire.ts'
import { notAProblem, undocumented } from './document.ts'
import { environmentText, hiddenText } from './estate.ts'
import type { FuzzRequest } from './requests.ts'

/** Text that reveals internals: stack frames, paths, database engines and their addresses. */
const inside =
  /node:internal|node_modules|\bat [\w.<>]+ \(|\.ts:\d|SQLITE_|sqlite:|postgres:\/\/|\bsyntax error\b|violates/

/** Returns what is wrong with the response to a request, undefined when it did no harm. */
export function harm(
  request: FuzzRequest,
  answer: WireAnswer | undefined,
  tokens: Record<string, string>,
): string | undefined {
  if (answer === undefined) return 'no response'
  if (answer.status >= 500) return `${answer.status}: ${answer.body}`
  const said = isOnRoute(request) ? undocumented(request.operation, answer) : notAProblem(answer)
  return said ?? leak(request, answer, tokens) ?? accepted(request, answer)
}

/** Whether no mutation of the request can have turned it into one for another route. */
function isOnRoute({ operation, method, parameters, tail }: FuzzRequest): boolean {
  const used = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name]) => parameters[name as string])
  const isSlashOnly = tail === '/' && !operation.path.endsWith('/')
  return method === operation.method && (tail === '' || isSlashOnly) && !used.includes('')
}

function leak({ as }: FuzzRequest, { head, body }: WireAnswer, tokens: Record<string, string>): string | undefined {
  const text = `${head}\n${body}`
  if (as !== 'root' && text.includes(hiddenText)) return 'the response shows what is hidden'
  if (text.includes(environmentText)) return 'the response shows the environment'
  if (Object.values(tokens).some((token) => text.includes(token))) return 'the response shows a token'
  return inside.exec(text)?.[0] === undefined ? undefined : `the response shows the inside: ${inside.exec(text)?.[0]}`
}

const depthAtMost = 32

/** Returns the fault of an invalid body that was accepted, undefined when there is none. */
function accepted(
  { operation, method, body, contentType, isLatin1 }: FuzzRequest,
  { status }: WireAnswer,
): string | undefined {
  if (status !== 200 || method !== operation.method || !operation.takesBody) return undefined
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) return `a body of the type ${contentType} was taken`
  const text = isLatin1 ? new TextDecoder().decode(Buffer.from(body ?? '', 'latin1')) : (body ?? '')
  if (text.includes('\ufffd') && isLatin1) return 'a body that is no UTF-8 was taken'
  const parsed = parse(text)
  const fault = parsed === undefined ? 'no JSON' : unsound(parsed, -levelsMore(operation))
  if (fault !== undefined) return `a body with ${fault} was taken`
  const { value } = parsed as { value: unknown }
  const inner = operation.path.endsWith('data_services') ? parse(value as string) : undefined
  const innerFault = inner === undefined ? undefined : unsound(inner)
  return innerFault === undefined ? undefined : `a body with ${innerFault} in its value was taken`
}

/** So that a list that was read can be sent back, also in an operation on one of many rooms. */
function levelsMore({ method, path }: FuzzRequest['operation']): number {
  if (path.endsWith('/areas/bulk')) return 3
  return method === 'PUT' ? 1 : 0
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unsound(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0') ? undefined : 'forbidden text'
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= depthAtMost) return 'too many levels'
  for (const [key, member] of Object.entries(value)) {
    const isPolluting = key === '__proto__' || (key === 'constructor' && Object.hasOwn(Object(member), 'prototype'))
    if (isPolluting && !Array.isArray(value)) return `the key ${key}`
    const found = unsound(key) ?? unsound(member, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
