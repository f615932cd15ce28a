import assert from 'node:assert/strict'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createToken } from '../../src/operations/access/token.ts'
import { createSandbox } from '../../src/operations/cms/sandbox.ts'
import type { Answered, TestAtrium } from '../harness/atrium.ts'
import { allSettled } from '../harness/settled.ts'

/** A sandbox of a partner, with a token for it. */
export interface Playground {
  id: string
  token: string
  /** Returns the id of the copy of a facility. */
  copy(facility: string): string
  /** Sends a request with the sandbox's token, to any node. */
  ask(request: string, body?: unknown, node?: TestAtrium): Promise<Answered>
  /** Sends a request and asserts that it succeeds. */
  done(request: string, body?: unknown, node?: TestAtrium): Promise<Answered['body']>
  /** Reads the events after a cursor. */
  eventsAfter(
    cursor: string,
    node?: TestAtrium,
  ): Promise<{ type: string; occurred_at: string; [name: string]: unknown }[]>
  cursor(): Promise<string>
}

export async function playground(atrium: TestAtrium, owner: string, facilities: string[]): Promise<Playground> {
  const { id } = await createSandbox(atrium.service.db, commandLine, owner, facilities)
  return playgroundWith(atrium, id, await testToken(atrium, id))
}

export async function testToken({ service }: TestAtrium, sandbox: string): Promise<string> {
  const order = { partner: sandbox, name: 'try', expiresAt: null, allowedRanges: [] }
  return (await createToken(service.db, order))?.secret ?? ''
}

export function playgroundWith(atrium: TestAtrium, id: string, token: string): Playground {
  const ask: Playground['ask'] = (request, body, node = atrium) =>
    node.ask(request, { as: token, ...(body !== undefined && { body }) })
  const done: Playground['done'] = async (request, body, node) => {
    const answer = await ask(request, body, node)
    assert.equal(answer.status, 200, `${request}: ${answer.text}`)
    return answer.body
  }
  return {
    id,
    token,
    copy: (facility) => `${id}.${facility}`,
    ask,
    done,
    eventsAfter: async (cursor, node = atrium) => {
      await allSettled(node.service.db)
      const found = []
      for (let after = cursor; ; ) {
        const { data, next } = await done(`GET /v1/events?after=${after}`, undefined, node)
        found.push(...data)
        if (data.length === 0) return found
        after = next
      }
    },
    cursor: async () => {
      await allSettled(atrium.service.db)
      return (await done('GET /v1/events')).next
    },
  }
}

export const services = (...items: object[]) => ({ value: JSON.stringify(items) })

/** Returns the real time so many hours from now. */
export const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
