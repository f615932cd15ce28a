import { enginesFor } from '../torture/engines.ts'
import type { Harness, Outcome, Planted, Run } from '../torture/harness.ts'
import { Random } from '../torture/random.ts'
import { Lane } from './webhooks/lane.ts'

const planted: Planted[] = [
  {
    name: 'an event counts as delivered before the webhook responded',
    file: 'src/operations/webhook/webhook-delivery.ts',
    find: '  const result = await post(context, current, found)\n',
    replace: `  await recordOutcome(context, webhook, (held) => ({ place: Math.max(held.place, found.offset) }))
  const result = await post(context, current, found)
`,
  },
]

/** Most of the time passes until a dead node's leases expire, so several installations wait concurrently. */
const killsInLane = 25

/** Every committed change is an event that both endpoints must get, whichever nodes are killed. */
export const webhooks: Harness = {
  name: 'webhooks',
  promises: [1, 7],
  title: 'every committed event is delivered, in order, even when nodes are killed while sending',
  unit: 'kills',
  target: 'lost 0, out of order 0',
  counts: { planted: 1, test: 2, torture: 100 },
  planted,
  run,
}

async function run(run: Run): Promise<Outcome> {
  const random = new Random(run.seed)
  const engines = enginesFor(run)
  const lanesOfEngine = Math.ceil(run.count / engines.length / killsInLane)
  const lanes = engines.flatMap((engine) =>
    Array.from({ length: lanesOfEngine }, () => new Lane(run, engine, random.branch())),
  )
  const sum = (number: (lane: Lane) => number) => lanes.reduce((total, lane) => total + number(lane), 0)
  const killed = () => run.progress(sum(({ kills }) => kills.ofSenders))
  try {
    const each = Math.ceil(run.count / lanes.length)
    const violations = (await Promise.all(lanes.map((lane) => lane.run(each, killed)))).flat()
    return {
      figures: {
        kills: sum(({ kills }) => kills.ofSenders),
        'kills of others': sum(({ kills }) => kills.all - kills.ofSenders),
        committed: sum(({ committed }) => committed.length),
        due: sum(({ due }) => due),
        delivered: sum(({ taken }) => taken.delivered),
        doubled: sum(({ taken }) => taken.doubled),
        'lost or out of order': violations.length,
      },
      violations,
    }
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()))
  }
}
