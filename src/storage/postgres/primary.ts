import { Connection } from './connection.ts'
import { isAway } from './errors.ts'
import { serversOf } from './servers.ts'

const lookEveryMs = 200

/**
 * Which of the servers takes writes. Nobody is asked while connections can be had; when none can, all servers are
 * asked again and again until one takes writes, and meanwhile everybody hears at once that there is none.
 */
export class Primary {
  readonly #servers: string[]
  /** Of the server that took writes when one was last looked for; of the first until then. */
  url: string
  /** Connections of an earlier one may lead to a server that has been replaced. */
  era = 0
  #search: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(url: string) {
    this.#servers = serversOf(url)
    this.url = this.#servers[0] as string
  }

  get isLost(): boolean {
    return this.#search !== undefined
  }

  /** Fails as the first look did while none is found. */
  find(): Promise<void> {
    this.#search ??= this.#look().catch((error) => {
      this.#lookAgain()
      throw error
    })
    return this.#search
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #lookAgain(): void {
    if (this.#isClosed) return
    const again = () => this.#look().catch(() => this.#lookAgain())
    this.#timer = setTimeout(again, lookEveryMs).unref()
  }

  async #look(): Promise<void> {
    const found = await Promise.any(this.#servers.map(takesWrites)).catch((error: AggregateError) => {
      throw mostTelling(error.errors)
    })
    if (found !== this.url) this.era++
    this.url = found
    this.#search = undefined
  }
}

async function takesWrites(url: string): Promise<string> {
  const connection = new Connection(url, 0, {})
  try {
    await connection.connect()
  } finally {
    connection.stream.destroy()
  }
  return url
}

/** A wrong password is for the operator to put right; a server that is away may come back. */
function mostTelling(errors: Error[]): Error {
  return errors.find((error) => !isAway(error)) ?? (errors[0] as Error)
}
