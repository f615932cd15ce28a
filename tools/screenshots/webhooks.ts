import type { Delivery, Webhook } from '../../src/domain/webhook/webhook.ts'
import { newWebhookSecret } from '../../src/domain/webhook/webhook-signature.ts'
import { newestOffset } from '../../src/operations/events/events.ts'
import { insertWebhook } from '../../src/storage/webhook/webhook.ts'
import { recordDelivery } from '../../src/storage/webhook/webhook-delivery.ts'
import type { TestAtrium } from '../../test/harness/atrium.ts'
import { Random } from '../../test/torture/random.ts'
import { daysAgo, inDays, minutesAgo } from './clock.ts'

type Shown = Pick<Webhook, 'id' | 'url' | 'types'> & Partial<Webhook>

const iso = (ms: number) => new Date(ms).toISOString()
const portal = 'https://portal.north.example/hooks'

/** Stores a healthy, a failing and a disabled webhook directly: no receiver exists. */
const webhooks: Shown[] = [
  { id: 'well', url: `${portal}/atrium`, types: '*', own: true },
  { id: 'ill', url: `${portal}/billing`, types: ['area.opened', 'area.closed'], ...failing(minutesAgo(47), 5) },
  {
    ...{ id: 'over', url: 'https://staging.north.example/atrium', types: ['services.added'] },
    ...{ ...failing(daysAgo(9), 19), disabledAt: iso(daysAgo(6)), disabledReason: 'failed' as const },
  },
]

function failing(sinceMs: number, failures: number): Partial<Webhook> {
  return { failures, failingSince: iso(sinceMs), nextAt: inDays(0.02) }
}

export async function keepWebhooks({ service: { db } }: TestAtrium, partner: string): Promise<void> {
  const place = await newestOffset(db)
  const secrets = { secret: newWebhookSecret(), old: null, oldEndsAt: null }
  const dates = { dateCreated: iso(daysAgo(30)), dateUpdated: iso(daysAgo(30)), nextAt: iso(daysAgo(30)) }
  const fresh = {
    own: false,
    failures: 0,
    failingSince: null,
    scheduledAt: null,
    disabledAt: null,
    disabledReason: null,
  }
  await db.write(async (tx) => {
    for (const one of webhooks) {
      await insertWebhook(tx, { partner, place, replay: undefined, ...secrets, ...dates, ...fresh, ...one })
    }
    for (const one of takenWell()) recordDelivery(tx, 'well', place, one)
    for (const one of takenBadly()) recordDelivery(tx, 'ill', place, one)
  })
}

function takenWell(): Delivery[] {
  const random = new Random(7)
  const types = ['area.opened', 'services.added', 'services.added', 'area.closed', 'service.ending', 'facility.updated']
  return Array.from({ length: 40 }, (_, at) => {
    const when = iso(minutesAgo((40 - at) * 23) + random.below(60_000))
    return sent(`well-${at}`, random.pick(types), when, { durationMs: 28 + random.below(90) })
  })
}

/** Deliveries that succeed first and then fail in different ways. */
function takenBadly(): Delivery[] {
  const well = Array.from({ length: 12 }, (_, at) =>
    sent(`ill-${at}`, at % 3 === 0 ? 'area.closed' : 'area.opened', iso(minutesAgo(52 + (12 - at) * 31)), {
      durationMs: 95 + 7 * at,
    }),
  )
  const failures: [minute: number, faults: Partial<Delivery>][] = [
    [47, { status: 502, durationMs: 212, error: 'response status 502' }],
    [46.9, { status: 502, durationMs: 187, error: 'response status 502' }],
    [46.3, { status: null, durationMs: 15_000, error: 'no response within 15 s' }],
    [44, { status: null, durationMs: 31, error: 'the connection was refused' }],
    [33, { status: 503, durationMs: 94, error: 'response status 503' }],
  ]
  return [
    ...well,
    ...failures.map(([minute, faults], at) =>
      sent('ill-12', 'area.opened', iso(minutesAgo(minute)), { attempt: at + 1, ...faults }),
    ),
  ]
}

function sent(event: string, type: string, at: string, more: Partial<Delivery>): Delivery {
  return { event, type, at, attempt: 1, status: 204, durationMs: 40, error: null, response: null, ...more }
}
