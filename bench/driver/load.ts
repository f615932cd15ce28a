import autocannon from 'autocannon'
import type { LoadJob, LoadResult } from '../job.ts'
import { percentile } from '../statistics.ts'
import { type Pacer, pace } from './pace.ts'
import { sendInTwo } from './split.ts'

const timeoutSeconds = 20
/** Warm-up at a fixed rate, not counted: new request buffers are still being moved by the garbage collector. */
const settlingMs = 1000

/** Fails on any unexpected response, because the measurement would be meaningless. */
export async function load(job: LoadJob): Promise<LoadResult> {
  const clients: autocannon.Client[] = []
  const connections = Math.min(job.connections, job.requests.length)
  const shares = sharesOf(job.requests, connections)
  const times: number[] = []
  const settling = job.rate === undefined ? 0 : settlingMs
  let startMs = performance.now()
  let lastMs = startMs
  let used = process.cpuUsage()
  const instance = autocannon({
    url: job.url,
    connections,
    sampleInt: 20,
    timeout: timeoutSeconds,
    ...(job.until === 'once' ? { amount: job.requests.length } : { duration: job.until.seconds + settling / 1000 }),
    setupClient: (client) => {
      client.setRequests(shares[clients.length] ?? [])
      if (job.isSplit) sendInTwo(client)
      clients.push(client)
    },
  })
  // At this point all requests are built and none is sent.
  instance.on('start', () => {
    startMs = performance.now() + settling
    setTimeout(() => {
      used = process.cpuUsage()
    }, settling)
  })
  const pacer = job.rate === undefined ? undefined : pace(clients, job.rate)
  instance.on('response', (client: autocannon.Client, _status: number, _bytes: number, ms: number) => {
    lastMs = performance.now()
    const waitedMs = pacer === undefined ? ms : pacer.sinceDue(client, lastMs, ms)
    if (lastMs >= startMs) times.push(waitedMs)
  })
  await finished(instance, job, pacer)
  if (times.length === 0) return longer(job)
  times.sort((a, b) => a - b)
  const seconds = (lastMs - startMs) / 1000
  const at = (share: number) => percentile(times, share)
  const { user, system } = process.cpuUsage(used)
  const driverMicroseconds = (user + system) / times.length
  const responses = times.length
  return { rate: responses / seconds, responses, seconds, p50: at(0.5), p99: at(0.99), max: at(1), driverMicroseconds }
}

async function finished(instance: autocannon.Instance, job: LoadJob, pacer: Pacer | undefined): Promise<void> {
  const { errors, timeouts, statusCodeStats } = await instance
  pacer?.stop()
  const strange = Object.entries(statusCodeStats).filter(([status]) => !isExpected(Number(status), job.status))
  if (strange.length === 0 && errors === 0 && timeouts === 0) return
  const counted = strange.map(([status, { count }]) => `${count} × ${status}`)
  const broken = [errors > 0 && `${errors} broken connections`, timeouts > 0 && `${timeouts} without a response`]
  const sample = strange[0] && (await sampleOf(job, Number(strange[0][0])))
  const list = [...counted, ...broken.filter(Boolean)].join(', ')
  throw new Error(
    `every response should have status ${job.status}, but there were ${list}${sample ? `: ${sample}` : ''}`,
  )
}

/** Extends the time for a server that needs longer. */
function longer(job: LoadJob): Promise<LoadResult> {
  if (job.until === 'once' || job.until.seconds > timeoutSeconds) throw new Error('no response came back')
  return load({ ...job, until: { seconds: job.until.seconds * 4 } })
}

function isExpected(status: number, expected: LoadJob['status']): boolean {
  return expected === 200 ? status >= 200 && status < 300 : status === expected
}

/** Repeats the request, to report the server's error. */
async function sampleOf({ url, requests }: LoadJob, status: number): Promise<string | undefined> {
  for (const { path, ...rest } of requests.slice(0, 50)) {
    const response = await fetch(url + path, rest)
    const body = await response.text()
    if (response.status === status) return `${rest.method} ${path} responds ${body.slice(0, 300)}`
  }
  return undefined
}

/** Distributes requests round-robin: neighbors in the list are sent concurrently on different connections. */
function sharesOf<T>(items: T[], count: number): T[][] {
  return Array.from({ length: count }, (_, share) => items.filter((_, index) => index % count === share))
}
