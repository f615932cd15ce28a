import type { Desk, Hand, Post, Reply, Word } from './desk.ts'

/** Two partners at two nodes each; with one node, over two connections. */
export interface Hands {
  all: [Hand, Hand]
  other: [Hand, Hand]
}

/** The violation; undefined if there was none. */
type Scenario = (desk: Desk, hands: Hands, code: string) => Promise<string | undefined>

export const scenarios: Record<string, Scenario> = {
  'twins that add': async (desk, { all }, code) => {
    const post = { add: code }
    const replies = await twins(desk, all, post)
    replies.push(await desk.settle(all[0], post))
    const { codes } = await desk.look(all[1])
    return notOnce(replies) ?? (times(codes, code) === 1 ? undefined : `it was added ${times(codes, code)} times`)
  },

  'twins that open': async (desk, { all }) => {
    const replies = await twins(desk, all, 'open')
    replies.push(await desk.settle(all[1], 'open'))
    const { cycle } = await desk.look(all[0])
    const returned = JSON.parse(replies.at(-1)?.text ?? '{}').area?.cycle
    return notOnce(replies) ?? (cycle === returned ? undefined : 'the room was opened more than once')
  },

  'two partners with the same key': async (desk, { all, other }, code) => {
    const post = { add: code }
    const replies = await Promise.all([desk.settle(all[0], post), desk.settle(other[1], post)])
    const { codes } = await desk.look(all[1])
    if (replies.some(({ word }) => word !== 'ran')) return "one partner's key was taken for the other's"
    return times(codes, code) === 2 ? undefined : `two partners added it ${times(codes, code)} times`
  },

  'twins with different bodies': async (desk, { all }, code) => {
    const posts = [{ add: code }, { add: `${code}-too` }] as const
    const first = await Promise.all([desk.send(all[0], posts[0]), desk.send(all[1], posts[1])])
    const later = [await desk.settle(all[1], posts[0]), await desk.settle(all[0], posts[1])]
    const { codes } = await desk.look(all[0])
    const wrong = unlike([...first, ...later], ['ran', 'replayed', 'in use', 'other body', 'unknown'])
    if (wrong !== undefined) return wrong
    if (later.filter(({ word }) => word === 'other body').length !== 1) return 'not exactly one body was refused'
    const added = times(codes, code) + times(codes, `${code}-too`)
    return added === 1 ? undefined : `${added} bodies were carried out`
  },

  'twins that race a reset': async (desk, { all, other }, code) => {
    const post = { add: code }
    const [replies] = await Promise.all([twins(desk, all, post), desk.reset(other[0], 'POST')])
    const last = await desk.settle(all[0], post)
    const { codes } = await desk.look(all[1])
    const wrong = unlike([...replies, last], ['ran', 'replayed', 'in use', 'cycle ended', 'unknown'])
    if (wrong !== undefined) return wrong
    if (ranIn([...replies, last]) > 1) return 'it ran in two cycles'
    const expected = last.word === 'cycle ended' ? 0 : 1
    if (times(codes, code) !== expected) return `it is there ${times(codes, code)} times, not ${expected}`
    await desk.reset(other[1], 'DELETE')
    const late = await Promise.all([desk.settle(all[0], post), desk.settle(all[1], post)])
    const { codes: left } = await desk.look(all[0])
    return unlike(late, ['cycle ended']) ?? (left.length === 0 ? undefined : 'a late retry reached the next cycle')
  },
}

function twins(desk: Desk, hands: [Hand, Hand], post: Post): Promise<Reply[]> {
  return Promise.all(hands.map((hand) => desk.send(hand, post)))
}

/** Of all requests with a key exactly one took effect; the others got its response, or that it is in progress. */
function notOnce(replies: Reply[]): string | undefined {
  const wrong = unlike(replies, ['ran', 'replayed', 'in use', 'unknown'])
  if (wrong !== undefined) return wrong
  const isUnknown = replies.some(({ word }) => word === 'unknown')
  if (ranIn(replies) > 1) return 'it ran more than once'
  if (ranIn(replies) === 0 && !isUnknown) return 'it was replayed and never ran'
  const texts = replies.filter(({ word }) => word === 'ran' || word === 'replayed').map(({ text }) => text)
  return new Set(texts).size === 1 ? undefined : 'the replay returned another response'
}

function unlike(replies: Reply[], words: Word[]): string | undefined {
  const wrong = replies.find(({ word }) => !words.includes(word))
  return wrong && `a response was "${wrong.word}"`
}

function ranIn(replies: Reply[]): number {
  return replies.filter(({ word }) => word === 'ran').length
}

function times(codes: string[], wanted: string): number {
  return codes.filter((code) => code === wanted).length
}
