import type { Settings } from '../../domain/setting.ts'
import * as attention from '../../storage/cms/attention.ts'
import * as figures from '../../storage/cms/figures.ts'
import type { Db } from '../../storage/database.ts'
import type { Tx } from '../../storage/engine.ts'
import { type EndingService, servicesEnding } from '../../storage/service-moment.ts'
import { readSettings } from '../../storage/setting.ts'
import { Drift } from './drift.ts'

export interface Notice {
  kind: 'token_expiring' | 'token_unused' | 'many_refused' | 'list_drift'
  /** The partner, or the facility. */
  subject: string
  /** The name of the token. */
  token: string | null
  /** How many requests or differences. */
  count: number | null
  /** When the token ends, or was last used. */
  at: string | null
  /** The same in words. */
  detail: string
  link: string
}

export interface Overview {
  requests: figures.MinuteCount[]
  latency: figures.MinuteLatency[]
  refused: figures.RefusedCount[]
  openRooms: figures.OpenRooms[]
  endingSoon: EndingService[]
  attention: Notice[]
}

const cachedMs = 1000
const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

/** The figures of the dashboard: however many look at them, they are asked for once a second. */
export class Figures {
  readonly #db: Db
  readonly #drift = new Drift()
  #cached = new Map<number, Promise<Overview>>()
  #cachedAtMs = 0

  constructor(db: Db) {
    this.#db = db
  }

  read(minutes: number): Promise<Overview> {
    const nowMs = performance.now()
    if (nowMs - this.#cachedAtMs > cachedMs) {
      this.#cached = new Map()
      this.#cachedAtMs = nowMs
    }
    const known = this.#cached.get(minutes) ?? this.#db.read((tx) => this.#overview(tx, minutes))
    this.#cached.set(minutes, known)
    return known
  }

  async #overview(tx: Tx, minutes: number): Promise<Overview> {
    const nowMs = Date.now()
    const settings = await readSettings(tx)
    // The minute that has just begun is one of them.
    const first = iso(Math.floor(nowMs / minuteMs) * minuteMs - (minutes - 1) * minuteMs)
    return {
      requests: await figures.countsSince(tx, first),
      latency: await figures.latencySince(tx, first),
      refused: await figures.refusedSince(tx, first),
      openRooms: await figures.mostOpenRooms(tx),
      endingSoon: await servicesEnding(tx, iso(nowMs), iso(nowMs + settings.ending_soon_hours * hourMs)),
      attention: await this.#attention(tx, settings, nowMs),
    }
  }

  async #attention(tx: Tx, settings: Settings, nowMs: number): Promise<Notice[]> {
    const now = iso(nowMs)
    const expiring = await attention.tokensExpiring(tx, now, iso(nowMs + settings.token_warning_days * dayMs))
    const unused = await attention.tokensUnused(tx, now, iso(nowMs - settings.token_unused_days * dayMs))
    const refused = await attention.partnersRefused(tx, iso(nowMs - hourMs), settings.many_refused)
    const drifted = await this.#drift.look(tx)
    return [
      ...expiring.map((token) => tokenNotice('token_expiring', token, 'ends at')),
      ...refused.map(refusedNotice),
      ...Array.from(drifted, driftNotice),
      ...unused.map((token) => tokenNotice('token_unused', token, 'not used since')),
    ]
  }
}

function tokenNotice(kind: Notice['kind'], { id, partner, name, at }: attention.TokenNotice, what: string): Notice {
  const detail = `token ${id} (${name}): ${what} ${at}`
  const link = `${partnerLink(partner)}?tab=tokens`
  return { kind, subject: partner, token: name, count: null, at, detail, link }
}

function refusedNotice({ partner, count }: { partner: string; count: number }): Notice {
  const detail = `${count} requests of the last hour were refused with 403`
  const link = partnerLink(partner)
  return { kind: 'many_refused', subject: partner, token: null, count, at: null, detail, link }
}

function driftNotice([facility, count]: [string, number]): Notice {
  const detail = `${count} differences between list and areas`
  const link = `/console/facilities/${encodeURIComponent(facility)}?tab=list`
  return { kind: 'list_drift', subject: facility, token: null, count, at: null, detail, link }
}

function partnerLink(partner: string): string {
  return `/console/partners/${encodeURIComponent(partner)}`
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
