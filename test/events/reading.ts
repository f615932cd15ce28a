import assert from 'node:assert/strict'
import type { TestAtrium } from '../harness/atrium.ts'
import { allSettled } from '../harness/settled.ts'

export interface Event {
  id: string
  type: string
  occurred_at: string
  facility: string
  area?: string
  origin: 'self' | 'other'
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type
  data: any
}

export interface Page {
  data: Event[]
  next: string
}

/** Reads a page of events and asserts that it succeeds. */
export async function page(atrium: TestAtrium, as: string, query = ''): Promise<Page> {
  const answer = await atrium.ask(`GET /v1/events${query}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

export function caughtUp({ service }: TestAtrium): Promise<void> {
  return allSettled(service.db)
}

/** Returns a cursor at the present end for each partner. */
export async function starts(atrium: TestAtrium, partners: string[]): Promise<Map<string, string>> {
  await caughtUp(atrium)
  const begin = async (as: string) => {
    const { data, next } = await page(atrium, as)
    assert.deepEqual(data, [])
    return [as, next] as const
  }
  return new Map(await Promise.all(partners.map(begin)))
}

/** Reads all events after a cursor, page by page. */
export async function allAfter(atrium: TestAtrium, as: string, after: string, more = ''): Promise<Event[]> {
  const events: Event[] = []
  await caughtUp(atrium)
  for (let next = after; ; ) {
    const found = await page(atrium, as, `?after=${next}${more}`)
    events.push(...found.data)
    if (found.data.length === 0) return events
    next = found.next
  }
}

/** Returns an event without the values that differ on each run. */
export function summaryOf({ type, facility, area, origin, data }: Event) {
  return { type, facility, ...(area !== undefined && { area }), origin, data }
}

/** Yields the events of a stream until it ends. */
export async function* streamed(response: Response): AsyncGenerator<Event & { lastEventId: string }> {
  let text = ''
  for await (const part of (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    text += part
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const fields = new Map(text.slice(0, end).split('\n').map(field))
      text = text.slice(end + 2)
      const data = fields.get('data')
      if (data !== undefined) yield { ...JSON.parse(data), lastEventId: fields.get('id') }
    }
  }
}

function field(line: string): [string, string] {
  const at = line.indexOf(': ')
  return [line.slice(0, at), line.slice(at + 2)]
}

/** An open stream that can be closed. */
export async function openStream(atrium: TestAtrium, as: string, headers: Record<string, string> = {}, query = '') {
  const leaving = new AbortController()
  await caughtUp(atrium)
  const response = await fetch(`${atrium.url}/v1/events${query}`, {
    headers: { authorization: `Bearer ${atrium.tokens[as]}`, accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  })
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const events = streamed(response)
  return {
    events,
    next: async () => (await events.next()).value as Event & { lastEventId: string },
    leave: () => leaving.abort(),
  }
}
