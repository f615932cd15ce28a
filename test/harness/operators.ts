import { scryptSync } from 'node:crypto'
import type { Role } from '../../src/domain/access/operator.ts'
import { commandLine } from '../../src/domain/audit/audit.ts'
import { createOperator } from '../../src/operations/access/operator.ts'
import { createKey } from '../../src/operations/access/operator-key.ts'
import type { Answered, Asked, TestAtrium } from './atrium.ts'

export const password = 'a short sentence is good'

/** A fast password hash, for tests in which its cost does not matter. */
export const cheapHash = (() => {
  const cost = { N: 1024, r: 8, p: 1 }
  const salt = Buffer.from('salt')
  const key = scryptSync(password, salt, 32, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
})()

export interface TestOperator {
  id: string
  email: string
  key: string
}

/** Creates an operator with a key; `ask(…, { as: key })` sends requests with it. */
export async function addOperator(
  { service: { db } }: TestAtrium,
  role: Role,
  name: string = role,
): Promise<TestOperator> {
  const email = `${name}@example.com`
  const { id } = await createOperator(db, commandLine, { email, name, role, password: null })
  const order = { operator: id, name: 'test', expiresAt: null, allowedRanges: [] }
  const { secret } = await createKey(db, commandLine, order)
  return { id, email, key: secret }
}

/** A browser that stores its cookie and sends the Origin of its page. */
export function browser(atrium: TestAtrium) {
  let cookie = ''
  return async (request: string, asked: Asked = {}): Promise<Answered> => {
    const answer = await atrium.ask(request, {
      ...asked,
      headers: { cookie, origin: atrium.url, 'sec-fetch-site': 'same-origin', ...asked.headers },
    })
    const set = answer.headers.getSetCookie()[0]
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    return answer
  }
}
