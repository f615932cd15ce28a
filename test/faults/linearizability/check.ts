import { type History, namesOf, type Operation } from './history.ts'
import { apply, keyOf, type Room, roomOf } from './room.ts'

/**
 * Checks linearizability: whether some order explains every response, one in which each operation takes effect at one
 * moment between its begin and its end. Tries all orders by depth-first search (Wing and Gong, 1993), none twice from the
 * same state with the same operations done (Lowe, 2017). Operations without a response may be left out. After too many
 * steps the history counts as explained.
 */
export function isLinearizable({ first, operations }: History, triesAtMost = Number.POSITIVE_INFINITY): boolean {
  const done = new Set<Operation>()
  const tried = new Set<string>()
  const search = (room: Room): boolean => {
    const open = operations.filter((operation) => !done.has(operation))
    const soonestEnd = Math.min(...open.filter(isAnswered).map(({ end }) => end))
    if (soonestEnd === Number.POSITIVE_INFINITY || tried.size >= triesAtMost) return true
    const key = `${operations.map((operation) => (done.has(operation) ? 1 : 0)).join('')} ${keyOf(room)}`
    if (tried.has(key)) return false
    tried.add(key)
    const latestBegin = Math.max(...[...done].map(({ begin }) => begin))
    return open.some((operation) => {
      // One of the two ended before the other began.
      if (operation.begin > soonestEnd || operation.end < latestBegin) return false
      const next = apply(room, operation)
      if (next === undefined) return false
      done.add(operation)
      if (search(next)) return true
      done.delete(operation)
      return false
    })
  }
  return search(roomOf(first))
}

function isAnswered({ answer }: Operation): boolean {
  return answer !== undefined
}

/** Each operation that may or may not have happened doubles the number of orders. */
const triesToShorten = 2000

/**
 * Minimizes a history without an explanation, and keeps the operations whose effects it shows. An operation is left out
 * if nothing explains the others, whether it happened or not.
 */
export function shortest(whole: History): History {
  const { first, operations } = earliest(whole)
  const history: History = { first, operations: [...operations] }
  const needed = new Set(operations)
  for (const [at, operation] of [...operations.entries()].reverse()) {
    history.operations[at] = { ...operation, answer: undefined }
    if (isLinearizable(history, triesToShorten)) history.operations[at] = operation
    else needed.delete(operation)
  }
  const shown = new Set([...needed].flatMap(namesIn))
  // A replacement can be at fault for what is missing too, so all of them are kept.
  const isReplacing = ({ request }: Operation) => request.kind === 'replace' || request.kind === 'all'
  const isKept = (operation: Operation) =>
    needed.has(operation) || isReplacing(operation) || madeBy(operation).some((name) => shown.has(name))
  return { first, operations: operations.filter(isKept) }
}

/** Cuts the history after the first response that no order explains. */
function earliest({ first, operations }: History): History {
  const ends = operations.map(({ end }) => end).sort((a, b) => a - b)
  const upTo = (moment: number): History => {
    const begun = operations.filter(({ begin }) => begin < moment)
    const known = begun.map((one) =>
      one.end > moment ? { ...one, end: Number.POSITIVE_INFINITY, answer: undefined } : one,
    )
    return { first, operations: known }
  }
  return ends.map(upTo).find((history) => !isLinearizable(history, triesToShorten)) ?? { first, operations }
}

/** The codes, labels and cycles that an operation mentions. */
function namesIn({ request, answer }: Operation): string[] {
  const { services = [], cycle } = answer?.said === 'done' ? answer.sight : {}
  const asked = 'code' in request ? [request.code] : request.kind === 'replace' ? request.kept : []
  return [...[...asked, ...services].flatMap(namesOf), ...(cycle ? [cycle] : [])]
}

function madeBy(operation: Operation): string[] {
  const { request, answer } = operation
  if (request.kind === 'all') return request.steps.flatMap((step) => madeBy({ ...operation, request: step }))
  if (request.kind === 'add') return [request.code]
  if (request.kind === 'change') return [request.label]
  return request.kind === 'open' && answer !== undefined ? namesIn(operation) : []
}
