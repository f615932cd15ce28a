import type { Line } from '../../torture/line.ts'

/** The result of a request with a key. */
export type Word = 'ran' | 'replayed' | 'in use' | 'other body' | 'cycle ended' | 'unknown' | `unexpected: ${string}`

export interface Reply {
  word: Word
  text: string
}

/** A partner at one of the nodes. */
export interface Hand {
  name: string
  line: Line
}

/** A POST on the room: opening it, or adding a subscription with this code. */
export type Post = 'open' | { add: string }

const triesAtMost = 1000

const refusals: Record<string, Word> = {
  idempotency_key_in_use: 'in use',
  idempotency_key_reused: 'other body',
  cycle_ended: 'cycle ended',
}

/** One room and one key, and the requests that used them. */
export class Desk {
  readonly lines: string[] = []
  readonly #room: string
  readonly #key: string

  constructor(room: string, key: string) {
    this.#room = room
    this.#key = key
  }

  async send({ name, line }: Hand, post: Post): Promise<Reply> {
    const path = `/v1/areas/${this.#room}/`
    const headers = { 'Idempotency-Key': this.#key }
    const isOpening = post === 'open'
    const answer = await line.ask(
      isOpening
        ? { method: 'POST', path, headers }
        : {
            method: 'POST',
            path: `${path}data_services`,
            headers,
            body: { value: JSON.stringify([{ code: post.add }]) },
          },
    )
    const { status = 0, text = '' } = answer ?? {}
    const isReplayed = answer?.headers['idempotency-replayed'] === 'true'
    const word = wordFor(status, isReplayed, text)
    this.lines.push(`${name}: ${isOpening ? 'open' : `add ${post.add}`} with the key → ${word}`)
    return { word, text }
  }

  /** Repeats the request until its result is known. */
  async settle(hand: Hand, post: Post): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await this.send(hand, post)
      if ((reply.word !== 'in use' && reply.word !== 'unknown') || tries === triesAtMost) return reply
      this.lines.pop()
    }
  }

  /** The same without a key. */
  async reset({ name, line }: Hand, method: 'POST' | 'DELETE'): Promise<void> {
    const answer = await line.ask({ method, path: `/v1/areas/${this.#room}/` })
    this.lines.push(`${name}: ${method === 'POST' ? 'open' : 'close'} → ${answer?.status}`)
  }

  async look({ line }: Hand): Promise<{ cycle: string | null; codes: string[] }> {
    const answer = await line.ask({ method: 'GET', path: `/v1/areas/${this.#room}/` })
    const area = JSON.parse(answer?.text ?? '{}')
    const codes = area.data_services.map(({ code }: { code: string }) => code)
    this.lines.push(`the room: ${area.cycle === null ? 'closed' : `cycle ${area.cycle}`}, [${codes.join(' ')}]`)
    return { cycle: area.cycle, codes }
  }
}

function wordFor(status: number, isReplayed: boolean, text: string): Word {
  if (status === 0 || status === 503) return 'unknown'
  if (status === 200) return isReplayed ? 'replayed' : 'ran'
  return refusals[JSON.parse(text).code] ?? `unexpected: ${status} ${text}`
}
