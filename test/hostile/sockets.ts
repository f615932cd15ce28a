import { migratedDatabase } from '../harness/databases.ts'
import { fill } from '../torture/fill.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { startNode } from '../torture/node.ts'
import { Random } from '../torture/random.ts'
import { countedForms } from './sockets/counted-forms.ts'
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

/**
 * Sends the same bytes at once, one by one and in chunks, to a node with the fast path and to one without: the responses
 * must be the same, and one for each request.
 */
export const sockets: Harness = {
  name: 'sockets',
  promises: [13],
  title: 'bytes that no client would send do no harm',
  unit: 'exchanges',
  target: 'one response however it was cut, none without a token, every refusal a problem with its headers',
  counts: { planted: 240, test: 780, torture: 20_000 },
  planted: [
    {
      name: 'the token is asked for by the beginning of the URL',
      file: 'src/http/partner/api.ts',
      find: '    const secret = bearerSecret(request.headers)\n',
      replace: `    if (!request.url.startsWith('/v1')) {
      return this.#dependencies.db
        .read((tx) => tx.query.selectFrom('token').select('hash').executeTakeFirstOrThrow())
        .then(({ hash }) => cache.tokens.find(hash))
        .then((token) => this.#serveAs(token!, request, endpoint))
    }
    const secret = bearerSecret(request.headers)
`,
    },
    {
      name: 'an invalid body gets a response of its own',
      file: 'src/http/adapters/broken-request.ts',
      find: 'return refuseBody(refusal, socket, last)',
      replace: 'return writeRefusal(socket, refusal)',
    },
    {
      name: 'what the parser refuses has no security headers',
      file: 'src/http/adapters/broken-request.ts',
      find: "    ...securityHeaders('encrypted' in socket),\n",
      replace: '',
    },
    {
      name: 'an invalid head gets its response at once',
      file: 'src/http/adapters/broken-request.ts',
      find: 'outgoing === undefined || outgoing.closed',
      replace: 'outgoing !== null',
    },
  ],
  run,
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const database = await migratedDatabase('sqlite')
  const { p: token = '' } = await fill(database.url, estate)
  const settings = { ATRIUM_DATABASE: database.url, ATRIUM_LOG: 'silent' }
  const nodes = [
    await startNode(build, { settings: { ...settings, ATRIUM_FAST_HTTP: 'on' } }),
    await startNode(build, { settings: { ...settings, ATRIUM_FAST_HTTP: 'off' } }),
  ]
  const urls = nodes.map(({ url }) => url)
  const random = new Random(seed)
  const violations: Violation[] = []
  let done = 0
  try {
    while (done < count && !signal.aborted && violations.length === 0) {
      const forms = [...countedForms(token), ...formsFor(token, random.branch())]
      for (let at = 0; at < forms.length && done < count && violations.length === 0; at += atOnce) {
        const some = forms.slice(at, at + atOnce)
        const faults = await Promise.all(some.map((form) => faultOf(urls, form, random.branch())))
        violations.push(...faults.flat())
        done += some.length * urls.length * 3
        progress(Math.min(done, count))
      }
    }
    return { figures: { exchanges: done, 'wrong responses': violations.length }, violations: violations.slice(0, 10) }
  } finally {
    for (const node of nodes) await node.end('SIGKILL')
    await database.drop()
  }
}

async function faultOf(urls: string[], form: Form, random: Random): Promise<Violation[]> {
  const cuts = [[form.bytes], [...form.bytes], inPieces(form.bytes, random)]
  const ways = urls.flatMap((url) => cuts.map((pieces) => ({ url, pieces })))
  const all = await Promise.all(ways.map(({ url, pieces }) => exchange(url, pieces)))
  const [first = []] = all
  const faults = all.flatMap((answers, at) => {
    const differs = form.statuses === undefined && comparable(answers) !== comparable(first)
    const how = `${at < cuts.length ? 'with' : 'without'} the fast path, in ${ways[at]?.pieces.length} pieces`
    const found = faultsIn(answers, form)
    if (differs) found.push(`${comparable(answers)} instead of ${comparable(first)}`)
    return found.map((fault) => `${how}: ${fault}`)
  })
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

function faultsIn(answers: Seen[], { bytes, maySucceed, statuses }: Form): string[] {
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
  const given = answers.map(({ status }) => status).join()
  if (statuses !== undefined && given !== statuses.join()) faults.push(`${given} instead of ${statuses}`)
  const ids = [...bytes.matchAll(/X-Request-Id: (r\d+)/g)].map(([, id]) => id)
  const returned = answers.map(({ headers }) => headers['x-request-id']).filter((id) => id?.startsWith('r'))
  if (returned.join() !== ids.slice(0, returned.length).join()) faults.push(`returned ${returned} for ${ids}`)
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
