import type { EngineName } from './estate/databases.ts'

/** The used part of a `--cpu-prof` file. Times are in microseconds. */
export interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

/** Where the time of a server's main thread went under one kind of work. */
export interface Profile {
  work: 'R2' | 'W2'
  engine: EngineName
  scale: number
  /** Of all threads. */
  microsecondsPerAnswer: number
  /** Shares of the busy time of the main thread by part; each function is in one part. */
  parts: Record<Part, number>
  /** Call stacks from the outermost call, with their share of that time; rare ones are left out. */
  calls: Call[]
}

export interface Call {
  /** A function with its file. */
  name: string
  part: Part
  share: number
  calls: Call[]
}

export const parts = {
  engine: 'database engine and driver',
  storage: 'storage and cache',
  operations: 'rules and operations',
  http: "Atrium's HTTP",
  packages: 'packages',
  node: "Node's sockets, HTTP and promises",
  garbage: 'garbage collection',
} as const
export type Part = keyof typeof parts

const rareShare = 0.006

export interface Window {
  fromUs: number
  toUs: number
  microsecondsPerAnswer: number
}

/** Evaluates the samples in this time window. */
export function profileOf(profile: CpuProfile, { fromUs, toUs, microsecondsPerAnswer }: Window) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const times = timesIn(profile, fromUs, toUs)
  const empty = Object.fromEntries(Object.keys(parts).map((part) => [part, 0])) as Record<Part, number>
  const sums = { ...empty }
  const visit = (id: number, above: Part): Call => {
    const node = nodes.get(id) as CpuProfile['nodes'][number]
    const part = partOf(node.callFrame, above)
    const own = isIdle(node) ? 0 : (times.get(id) ?? 0)
    sums[part] += own
    const calls = merged((node.children ?? []).map((child) => visit(child, part)))
    const share = calls.reduce((sum, call) => sum + call.share, own)
    return { name: nameOf(node.callFrame), part, share, calls }
  }
  const root = visit(profile.nodes[0]?.id ?? 0, 'node')
  if (root.share === 0) throw new Error('the profile has no sample of the time in which it was to be taken')
  const shareOf = (us: number) => us / root.share
  const shares = Object.fromEntries(Object.entries(sums).map(([part, us]) => [part, shareOf(us)]))
  return { microsecondsPerAnswer, parts: shares as Record<Part, number>, calls: often(root, shareOf).calls }
}

function timesIn({ samples, timeDeltas, startTime }: CpuProfile, fromUs: number, toUs: number): Map<number, number> {
  const times = new Map<number, number>()
  let now = startTime
  for (const [at, id] of samples.entries()) {
    now += timeDeltas[at] ?? 0
    const lasted = timeDeltas[at + 1] ?? 0
    if (now >= fromUs && now <= toUs) times.set(id, (times.get(id) ?? 0) + lasted)
  }
  return times
}

/** System time without a caller counts as idle, too. */
function isIdle({ callFrame }: CpuProfile['nodes'][number]): boolean {
  return callFrame.functionName === '(idle)' || callFrame.functionName === '(program)'
}

/** Native functions are attributed to their callers. */
function partOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame'], above: Part): Part {
  if (functionName === '(garbage collector)') return 'garbage'
  if (/\/src\/storage\/(sqlite|postgres)/.test(url)) return 'engine'
  if (/\/node_modules\/(pg|kysely)/.test(url)) return 'engine'
  if (url.includes('/src/storage/')) return 'storage'
  if (/\/src\/(operations|domain)\//.test(url)) return 'operations'
  if (url.includes('/src/')) return 'http'
  if (url.includes('/node_modules/')) return 'packages'
  if (url.startsWith('node:')) return 'node'
  return above
}

function nameOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.replace(/^.*\/(?=src\/|node_modules\/)/, '')
  return [functionName || '(function)', file].filter(Boolean).join(' ')
}

/** Merges calls of the same function from several places of one caller. */
function merged(calls: Call[]): Call[] {
  const byName = new Map<string, Call>()
  for (const call of calls) {
    const known = byName.get(call.name)
    if (known === undefined) byName.set(call.name, call)
    else {
      known.share += call.share
      known.calls = merged([...known.calls, ...call.calls])
    }
  }
  return [...byName.values()]
}

function often(call: Call, shareOf: (us: number) => number): Call {
  const calls = call.calls
    .map((one) => often(one, shareOf))
    .filter(({ share }) => share >= rareShare)
    .toSorted((a, b) => b.share - a.share)
  return { ...call, share: shareOf(call.share), calls }
}
