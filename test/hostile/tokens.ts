import { allText } from '../torture/all-text.ts'
import type { Harness, Outcome, Run, Violation } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { form, guess, isWellFormed, mistyped } from './tokens/secret.ts'
import { type Stage, setUp } from './tokens/stage.ts'

/** The default limit of wrong tokens: the burst, and one more per second. */
const freeGuesses = 100
const guesses = 130

export const tokens: Harness = {
  name: 'tokens',
  promises: [11],
  title: 'tokens keep to themselves',
  unit: 'tokens',
  target:
    '0 usable tokens in a dump, 0 questions for a mistyped one, guesses refused after 100, 0 uses after a revocation',
  counts: { planted: 4, test: 20, torture: 2000 },
  planted: [
    {
      name: 'the audit log keeps the secret',
      file: 'src/operations/access/token.ts',
      find: 'created(tokenValues(draft))',
      replace: "[...created(tokenValues(draft)), { key: 'secret', before: null, after: issued.secret }]",
    },
    {
      name: 'the checksum is not looked at',
      file: 'src/domain/access/token.ts',
      find: 'checksum(secret.slice(0, -6)) === sum ? id',
      replace: 'sum !== undefined ? id',
    },
    {
      name: 'wrong tokens are not counted',
      file: 'src/http/pipeline/wrong-tokens.ts',
      find: 'if (takeToken(bucket, readClock().monotonicMs)) return error',
      replace: 'return error',
    },
  ],
  run,
}

const nothing = {
  tokens: 0,
  mistyped: 0,
  guesses: 0,
  'guesses examined': 0,
  'usable in dumps': 0,
  'used after revocation': 0,
}

interface Trial extends Stage {
  random: Random
  figures: typeof nothing
  violations: Violation[]
}

async function run({ build, seed, count, progress, signal }: Run): Promise<Outcome> {
  const random = new Random(seed)
  const figures = { ...nothing }
  const violations: Violation[] = []
  for (const [index, engine] of (['postgres', 'sqlite'] as const).entries()) {
    const stage = await setUp(build, engine)
    const trial = { ...stage, random, figures, violations }
    try {
      const secrets = []
      const wanted = Math.ceil((count * (index + 1)) / 2)
      while (figures.tokens < wanted && violations.length === 0 && !signal.aborted) {
        secrets.push(await liveOfOne(trial))
        progress(++figures.tokens)
      }
      if (violations.length === 0) await guessing(trial)
      await lookIntoDump(trial, secrets)
    } finally {
      await stage.end()
    }
    if (violations.length > 0) break
  }
  return { figures, violations }
}

/** Tests one token through its life: created, mistyped, used, mistyped while cached, revoked. Returns the secret. */
async function liveOfOne(trial: Trial): Promise<string> {
  const { token, secret } = await trial.issue()
  const history = [`${trial.engine}: create token ${token.id}`]
  const expect = async (what: string, asked: string, status: number, method?: 'PATCH') => {
    const answer = await trial.ask(asked, addressOf(trial.random), method)
    history.push(`${method ?? 'GET'} with ${what}: ${answer.status}`)
    if (answer.status !== status) trial.violations.push({ what: `${what} returned ${answer.status}`, history })
    return answer.status === status
  }
  if (!isWellFormed(secret)) trial.violations.push({ what: 'a token has another form, or checksum', history })
  await mistypedOnce(trial, secret, expect, history)
  await expect('the token', secret, 200)
  await mistypedOnce(trial, secret, expect, history)
  await trial.revoke(token.id)
  history.push('revoke')
  const isRefused = await expect('the revoked token', secret, 401, trial.random.chance(0.5) ? 'PATCH' : undefined)
  if (!isRefused) trial.figures['used after revocation']++
  return secret
}

type Expect = (what: string, asked: string, status: number, method?: 'PATCH') => Promise<boolean>

/** Background jobs query too: only a query in every round was caused by the token. */
async function mistypedOnce(trial: Trial, secret: string, expect: Expect, history: string[]): Promise<void> {
  const { random, tap, figures, violations } = trial
  for (let tries = 0; tries < 3; tries++) {
    const before = tap?.bytes()
    await expect('the mistyped token', mistyped(random, secret), 401, random.chance(0.5) ? 'PATCH' : undefined)
    figures.mistyped++
    if (tap?.bytes() === before) return
    await tap?.quiet()
  }
  violations.push({ what: 'mistyped tokens cost questions to the database', history })
}

/** Many wrong tokens from one address: limited after the first hundred, without effect on other addresses. */
async function guessing(trial: Trial): Promise<void> {
  const { random, violations, figures, ask } = trial
  const address = addressOf(random, true)
  const { secret, token } = await trial.issue()
  const beginMs = performance.now()
  const answers = []
  for (let n = 0; n < guesses; n++)
    answers.push(await ask(guess(random, n % 2 ? token.id : undefined), from(address, n)))
  const grown = Math.ceil((performance.now() - beginMs) / 1000)
  const answered = answers.filter(({ status }) => status !== 429).length
  figures.guesses += guesses
  figures['guesses examined'] = Math.max(figures['guesses examined'], answered)
  const history = [`${guesses} guesses from ${address}: ${answered} returned 401`]
  const say = (what: string) => violations.push({ what, history })
  if (answered > freeGuesses + grown) say(`${answered} guesses were examined`)
  if (answered < freeGuesses) say(`only ${answered} wrong tokens were allowed`)
  if (answers.some(({ status, retryAfter }) => status === 429 && !(Number(retryAfter) >= 1))) say('no Retry-After')
  const right = await ask(secret, address)
  if (right.status !== 200) say(`a right token from there returned ${right.status}`)
  const other = await ask(guess(random), addressOf(random))
  if (other.status !== 401) say(`a wrong token from another address returned ${other.status}`)
}

async function lookIntoDump(
  { engine, databaseUrl, node, figures, violations }: Trial,
  secrets: string[],
): Promise<void> {
  const places = { 'the database': await allText(databaseUrl), 'what the node printed': node.printed() }
  for (const [place, text] of Object.entries(places)) {
    const kept = secrets.filter((secret) => text.includes(secret.slice(13)))
    const usable = new Set([...kept, ...(text.match(form) ?? []).filter(isWellFormed)])
    figures['usable in dumps'] += usable.size
    for (const secret of usable) {
      violations.push({ what: `${place} holds a token`, history: [`${engine}: ${secret.slice(0, 12)}…`] })
    }
  }
}

/** Addresses from documentation networks, IPv4 and IPv6; guessing and mistyping clients have different ones. */
function addressOf(random: Random, isGuessing = false): string {
  const [four, six] = isGuessing ? ['198.19', 'b'] : ['198.18', 'a']
  if (random.chance(0.5)) return `${four}.${random.below(256)}.${random.below(256)}`
  return `2001:db8:${six}:${random.below(65_536).toString(16)}::1`
}

/** The client of an IPv6 address has its whole /64 network. */
function from(address: string, n: number): string {
  return address.includes(':') ? `${address.slice(0, -1)}${n.toString(16)}` : address
}
