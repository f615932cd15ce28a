import type { History, Operation } from './history.ts'
import { apply, keyOf, type Room, roomOf } from './room.ts'

/**
 * Whether some order explains every answer: one in which each operation happens at one moment between its begin and its
 * end. All orders are tried, one operation after the other (Wing and Gong, 1993), none twice from the same room with
 * the same operations done (Lowe, 2017). Operations without an answer may be left out. After so many tries it is taken
 * to be explained.
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
      // Another had ended before this one began, or began after this one had ended.
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

/** Each operation that may have happened or not doubles the orders to be tried. */
const triesToShorten = 2000

/**
 * The fewest operations that no order explains, with those that made what they show. An operation is left out when
 * nothing explains the others whether it happened or not.
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
  const makesShown = (operation: Operation) => madeBy(operation).some((name) => shown.has(name))
  return { first, operations: operations.filter((operation) => needed.has(operation) || makesShown(operation)) }
}

/** The history up to the first answer that no order explains. */
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

/** The codes and cycles that an operation speaks of. */
function namesIn({ request, answer }: Operation): string[] {
  const { codes = [], cycle } = answer?.said === 'done' ? answer.sight : {}
  const asked = 'code' in request ? [request.code] : []
  return [...asked, ...codes, ...(cycle ? [cycle] : [])]
}

function madeBy(operation: Operation): string[] {
  const { request, answer } = operation
  if (request.kind === 'add') return [request.code]
  return request.kind === 'open' && answer !== undefined ? namesIn(operation) : []
}
