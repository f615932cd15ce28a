import cluster from 'node:cluster'
import { fstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { explain } from '../failure.ts'
import type { DemoNotice } from '../ready.ts'
import { createBalancer } from './balance.ts'
import { createGatherer } from './gather.ts'
import { lineWriter, type WriteLines } from './lines.ts'
import { type Duty, failureOf, fill, type Place, send } from './place.ts'

const shortestPauseMs = 200
const longestPauseMs = 30_000
/** A worker that lived so long did not die of what its predecessor died of. */
const steadyMs = 60_000
/** Longer than a server waits for what is under way, beside the notice it gives. */
const stopWithinMs = 9000

export interface Crew {
  /** Gives the URL when every worker can answer; fails as the first that cannot start. */
  start(): Promise<string>
  loadDemo(): Promise<DemoNotice>
  replaceTheDead(url: string): void
  stop(): Promise<void>
}

export async function createCrew(config: Config): Promise<Crew> {
  // In turn, as far as they take them: the kernel would give most to the worker that happens to be awake.
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ stdio: ['ignore', canShare(process.stdout.fd) ? 'inherit' : 'pipe', 'inherit', 'ipc'] })
  const places: Place[] = []
  const listeners = [createGatherer(places), createBalancer(places)]
  const duty: Duty = { listeners, write: await lineWriter(process.stdout) }
  const stopping = new AbortController()
  return {
    start: async () => {
      for (let n = 0; n < config.workers; n++) places.push(fill({}, {}, duty))
      const [url = ''] = await Promise.all(places.map(({ ready }) => ready))
      return url
    },
    loadDemo: () => loadDemo(places[0] as Place),
    replaceTheDead: (url) => {
      const replace = replacement(url, places, duty)
      const say = deathNotice(config, duty.write)
      places.forEach((_, at) => void keepFilled(places, at, replace, say, stopping.signal))
    },
    stop: async () => {
      stopping.abort()
      const isWatched = places.some((place) => place.isWatched)
      const withinMs = stopWithinMs + config.drainSeconds * 1000
      await Promise.all(places.map((place) => stop(place, isWatched, withinMs)))
    },
  }
}

/** What processes write to a file that they share stays whole and in turn; to a pipe it does not. */
function canShare(output: number): boolean {
  return fstatSync(output).isFile()
}

function loadDemo(place: Place): Promise<DemoNotice> {
  send(place, { kind: 'load demo' })
  return new Promise((resolve, reject) => {
    place.worker.on('message', (message) => {
      if (message.kind === 'demo') resolve(message.notice)
      if (message.kind === 'failed') reject(failureOf(message))
    })
    void place.ended.then((how) => reject(new Error(`the worker that loads the demo ended (${how})`)))
  })
}

async function stop(place: Place, isWatched: boolean, withinMs: number): Promise<void> {
  send(place, { kind: 'stop', isWatched })
  const overdue = setTimeout(() => place.worker.process.kill('SIGKILL'), withinMs)
  await place.ended
  clearTimeout(overdue)
}

type Replace = (dead: Place) => Place

/** Workers that ask for port 0 share one free port while one of them lives; after that it must be asked for by name. */
function replacement(url: string, places: Place[], duty: Duty): Replace {
  let port: Record<string, string> = {}
  return (dead) => {
    if (places.every(({ worker }) => worker.isDead())) port = { ATRIUM_PORT: portOf(url) }
    const place = fill(dead, port, duty)
    place.ready.then((own) => own !== url && place.worker.process.kill('SIGKILL')).catch(() => {})
    return place
  }
}

function portOf(url: string): string {
  const { port, protocol } = new URL(url)
  return port || (protocol === 'https:' ? '443' : '80')
}

type Say = (place: Place, pauseMs: number) => Promise<void>

function deathNotice(config: Config, write: WriteLines): Say {
  return async (place, pauseMs) => {
    const { createLog } = await import('../../http/observability/log.ts')
    const log = createLog(config.log, { write: (line) => void write(Buffer.from(line)) })
    const fault = await place.ready.then(() => undefined, explain)
    const about = { pid: place.worker.process.pid, ended: await place.ended, fault, pause_ms: pauseMs }
    log.error(about, 'a worker ended and is started again')
  }
}

/** For as long as the service runs. */
async function keepFilled(places: Place[], at: number, replace: Replace, say: Say, stopping: AbortSignal) {
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const place = places[at] as Place
    await place.ended
    if (performance.now() - place.startedAtMs > steadyMs) pauseMs = shortestPauseMs
    if (stopping.aborted) return
    await say(place, pauseMs)
    await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
    if (stopping.aborted) return
    places[at] = replace(place)
  }
}
