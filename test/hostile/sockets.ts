import { freshDatabase } from '../harness/databases.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { exchange, type Seen } from './sockets/exchange.ts'
import { type Form, formsFor, smuggled } from './sockets/forms.ts'

const atOnce = 24
const security = [
  'x-content-type-options',
  'content-security-policy',
  'referrer-policy',
  'cross-origin-resource-policy',
]

const estate = {
  facilities: [{ id_external: 'f', name: 'F', areas: [{ id: '1', name: 'One' }] }],
  partners: [{ id: 'p', name: 'P', grants: [{ facilities: '*', read: '*', write: '*', rooms: '*' }] }],
}

/** Sends the same bytes at once, one by one and in chunks: the fast path and Node's server must respond alike. */
export const sockets: Harness = {
  name: 'sockets',
  promises: [13],
  title: 'bytes that no client would send do no harm',
  unit: 'exchanges',
  target: 'one response however it was cut, none without a token, every refusal a problem with its headers',
  counts: { planted: 120, test: 250, torture: 10_000 },
  planted: [
    {
      name: 'the token is asked for by the beginning of the URL',
      file: 'src/http/partner/api.ts',
      find: '    const secret = bearerSecret(request.headers)\n',
      replace: `    if (!request.url.startsWith('/v1')) {
      return this.#dependencies.db
        .read((tx) => tx.query.selectFrom('token').select('id').executeTakeFirstOrThrow())
        .then(({ id }) => cache.tokens.find(id))
        .then((token) => this.#serveAs(token!, request, endpoint))
    }
    const secret = bearerSecret(request.headers)
`,
    },
    {
      name: 'what the parser refuses has no security headers',
      file: 'src/http/adapters/broken-request.ts',
      find: "    ...securityHeaders('encrypted' in socket),\n",
      replace: '',
    },
  ],
  run,
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const database = await freshDatabase('sqlite')
  const { p: token = '' } = await fill(database.url, estate)
  const node = await startNode(build, { settings: { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent' } })
  const random = new Random(seed)
  const violations: Violation[] = []
  let done = 0
  try {
    while (done < count && !signal.aborted && violations.length === 0) {
      const forms = formsFor(token, random.branch())
      for (let at = 0; at < forms.length && done < count && violations.length === 0; at += atOnce) {
        const some = forms.slice(at, at + atOnce)
        const faults = await Promise.all(some.map((form) => faultOf(node.url, form, random.branch())))
        violations.push(...faults.flat())
        done += some.length * 3
        progress(Math.min(done, count))
      }
    }
    return { figures: { exchanges: done, 'wrong responses': violations.length }, violations: violations.slice(0, 10) }
  } finally {
    await node.end('SIGKILL')
    await database.drop()
  }
}

async function faultOf(url: string, form: Form, random: Random): Promise<Violation[]> {
  const cuts = [[form.bytes], [...form.bytes], inPieces(form.bytes, random)]
  const [whole = [], ...others] = await Promise.all(cuts.map((pieces) => exchange(url, pieces)))
  const faults = [...faultsIn(whole, form), ...others.flatMap((answers) => faultsIn(answers, form))]
  for (const [at, answers] of others.entries()) {
    if (comparable(answers) === comparable(whole)) continue
    const how = at === 0 ? 'byte by byte' : `in ${cuts[2]?.length} pieces`
    faults.push(`at once ${comparable(whole)}, ${how} ${comparable(answers)}`)
  }
  return faults.map((fault) => ({ what: `${form.name}: ${fault}`, history: [JSON.stringify(form.bytes)] }))
}

function inPieces(bytes: string, random: Random): string[] {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(40)
    pieces.push(bytes.slice(at, end))
    at = end
  }
  return pieces
}

function faultsIn(answers: Seen[], { bytes, maySucceed }: Form): string[] {
  const faults = answers.flatMap((answer) => {
    const { status, headers, body } = answer
    if (status === 0) return [`something that is no HTTP response: ${JSON.stringify(body.slice(0, 80))}`]
    if (headers['x-request-id'] === smuggled) return ['a request inside another got a response']
    const missing = [...security, 'x-request-id'].filter((name) => headers[name] === undefined)
    if (missing.length > 0) return [`${status} without ${missing.join(', ')}`]
    if (status < 400) return maySucceed ? [] : [`${status} without a token`]
    if (status >= 500) return [`${status}`]
    return isProblem(answer) ? [] : [`${status} is no problem: ${body.slice(0, 80)}`]
  })
  const ids = [...bytes.matchAll(/X-Request-Id: (r\d+)/g)].map(([, id]) => id)
  const given = answers.map(({ headers }) => headers['x-request-id']).filter((id) => id?.startsWith('r'))
  if (given.join() !== ids.slice(0, given.length).join()) faults.push(`returned ${given} for ${ids}`)
  return faults
}

function isProblem({ headers, status, body }: Seen): boolean {
  if (!headers['content-type']?.startsWith('application/problem+json')) return false
  const problem = JSON.parse(body)
  return problem.status === status && problem.request_id === headers['x-request-id']
}

/** Removes what differs between exchanges. */
function comparable(answers: Seen[]): string {
  return answers
    .map(({ status, headers, body }) => {
      const { date: _date, 'x-request-id': id = '', ...rest } = headers
      const names = Object.keys(rest).sort()
      const lines = names.map((name) => `${name}=${rest[name]}`).join(' ')
      return `${status} ${lines} ${id === '' ? body : body.replaceAll(id, 'ID')}`
    })
    .join(' | ')
}
