import type { Settings } from '../../domain/setting.ts'
import * as attention from '../../storage/cms/attention.ts'
import * as queries from '../../storage/cms/figures.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { type EndingServices, servicesEnding } from '../../storage/service-moment.ts'
import { readSettings } from '../../storage/setting.ts'
import { Drift, type DriftReport } from './drift.ts'

/** The kinds of notices on the dashboard, in display order. */
export const noticeKinds = [
  'webhook_disabled',
  'webhook_failing',
  'token_expiring',
  'token_overdue',
  'many_refused',
  'list_drift',
  'token_unused',
] as const

export interface Notice {
  kind: (typeof noticeKinds)[number]
  subject: string
  /** The name of the partner or facility; null if it has been removed. */
  name: string | null
  /** The name of the token that the notice is about; null if it is about none. */
  token: string | null
  /** The address of the webhook that the notice is about; null if it is about none. */
  webhook: string | null
  /** Refused requests, or differences between list and areas; null for other kinds of notices. */
  count: number | null
  /** When the token expires, should be rotated or was last used, or since when the webhook fails or is disabled. */
  at: string | null
  detail: string
  link: string
}

export interface Overview {
  requests: queries.MinuteCount[]
  latency: queries.MinuteLatency[]
  refused: { rows: queries.RefusedCount[]; total: number }
  openRooms: queries.OpenRooms[]
  rooms: queries.RoomTotals
  endingSoon: EndingServices
  attention: Notice[]
  /** The number of all notices by kind; the property `attention` contains only the first ones of each kind. */
  attentionTotals: Record<Notice['kind'], number>
  /** How many autocomplete lists have been compared with the areas of their facilities. */
  listsChecked: number
}

const cachedMs = 1000
const maxDriftNotices = 100
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** Loads the numbers of the dashboard. Caches them for a second, so that many viewers cost no more than one. */
export class Dashboard {
  readonly #db: Db
  readonly #drift: Drift
  #cached = new Map<number, Promise<Overview>>()
  #cachedAtMs = 0

  constructor(db: Db) {
    this.#db = db
    this.#drift = new Drift(db)
  }

  read(minutes: number): Promise<Overview> {
    const nowMs = performance.now()
    if (nowMs - this.#cachedAtMs > cachedMs) {
      this.#cached = new Map()
      this.#cachedAtMs = nowMs
    }
    const known = this.#cached.get(minutes) ?? this.#db.readFromReplica((tx) => this.#overview(tx, minutes))
    this.#cached.set(minutes, known)
    return known
  }

  async #overview(tx: Tx, minutes: number): Promise<Overview> {
    const nowMs = Date.now()
    const settings = await readSettings(tx)
    // Counts the current minute, which has not ended, as the last of the `minutes` that the numbers cover.
    const first = iso(Math.floor(nowMs / minuteMs) * minuteMs - (minutes - 1) * minuteMs)
    const drift = this.#drift.report()
    const rooms = await queries.roomTotals(tx)
    return {
      requests: await queries.countsSince(tx, first),
      latency: await queries.latencySince(tx, first),
      refused: await queries.refusedSince(tx, first),
      openRooms: await queries.mostOpenRooms(tx),
      rooms,
      endingSoon: await servicesEnding(tx, iso(nowMs), iso(nowMs + settings.ending_soon_hours * hourMs)),
      ...(await attentionOf(tx, settings, nowMs, drift)),
      listsChecked: drift.isWhole ? rooms.lists : Math.min(drift.checked, rooms.lists),
    }
  }
}

async function attentionOf(
  tx: Tx,
  settings: Settings,
  nowMs: number,
  { differences }: DriftReport,
): Promise<Pick<Overview, 'attention' | 'attentionTotals'>> {
  const now = iso(nowMs)
  const expiring = await attention.tokensExpiring(tx, now, iso(nowMs + settings.token_warning_days * dayMs))
  const overdue = await attention.tokensOverdue(tx, now)
  const unused = await attention.tokensUnused(tx, now, iso(nowMs - settings.token_unused_days * dayMs))
  const refused = await attention.partnersRefused(tx, iso(nowMs - hourMs), settings.many_refused)
  const failing = await attention.webhooksFailing(tx)
  const disabled = await attention.webhooksDisabled(tx)
  const drifted = [...differences].sort(([, a], [, b]) => b - a).slice(0, maxDriftNotices)
  return {
    attention: await withNames(tx, [
      ...disabled.rows.map(webhookNotice),
      ...failing.rows.map(webhookNotice),
      ...expiring.rows.map((token) => tokenNotice('token_expiring', token, 'ends at')),
      ...overdue.rows.map((token) => tokenNotice('token_overdue', token, 'imported, to be rotated by')),
      ...refused.rows.map(refusedNotice),
      ...drifted.map(driftNotice),
      ...unused.rows.map((token) => tokenNotice('token_unused', token, 'not used since')),
    ]),
    attentionTotals: {
      webhook_disabled: disabled.total,
      webhook_failing: failing.total,
      token_expiring: expiring.total,
      token_overdue: overdue.total,
      many_refused: refused.total,
      list_drift: differences.size,
      token_unused: unused.total,
    },
  }
}

type Unnamed = Omit<Notice, 'name'>

const isAboutFacility = ({ kind }: Unnamed) => kind === 'list_drift'

async function withNames(tx: Tx, notices: Unnamed[]): Promise<Notice[]> {
  const subjects = (some: Unnamed[]) => [...new Set(some.map(({ subject }) => subject))]
  const facilities = await attention.facilityNames(tx, subjects(notices.filter(isAboutFacility)))
  const partners = await attention.partnerNames(tx, subjects(notices.filter((one) => !isAboutFacility(one))))
  return notices.map((notice) => {
    const names = isAboutFacility(notice) ? facilities : partners
    return { ...notice, name: names.get(notice.subject) ?? null }
  })
}

const reasons = { switched_off: 'by hand', gone: 'response status 410', failed: 'it failed for three days' }

function webhookNotice({ partner, url, since, reason }: attention.WebhookNotice): Unnamed {
  const kind = reason === null ? 'webhook_failing' : 'webhook_disabled'
  const what = reason === null ? 'fails' : `is switched off (${reasons[reason]})`
  const detail = `webhook ${url} ${what} since ${since}`
  const link = `${partnerLink(partner)}?tab=webhooks`
  return { kind, subject: partner, token: null, webhook: url, count: null, at: since, detail, link }
}

function tokenNotice(kind: Notice['kind'], { id, partner, name, at }: attention.TokenNotice, what: string): Unnamed {
  const detail = `token ${id} (${name}): ${what} ${at}`
  const link = `${partnerLink(partner)}?tab=tokens`
  return { kind, subject: partner, token: name, webhook: null, count: null, at, detail, link }
}

function refusedNotice({ partner, count }: { partner: string; count: number }): Unnamed {
  const detail = `${count} requests of the last hour were refused with 403`
  const link = partnerLink(partner)
  return { kind: 'many_refused', subject: partner, token: null, webhook: null, count, at: null, detail, link }
}

function driftNotice([facility, count]: [string, number]): Unnamed {
  const detail = `${count} differences between list and areas`
  const link = `/console/facilities/${encodeURIComponent(facility)}?tab=list`
  return { kind: 'list_drift', subject: facility, token: null, webhook: null, count, at: null, detail, link }
}

function partnerLink(partner: string): string {
  return `/console/partners/${encodeURIComponent(partner)}`
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
