/** A token bucket that holds up to `burst` tokens and is refilled with `perSecond` each second. */
export interface RateLimit {
  perSecond: number
  burst: number
}

/** Parses a limit such as "100/s burst 1000". Returns null for "off", undefined for anything else. */
export function parseRateLimit(text: string): RateLimit | null | undefined {
  if (text.trim() === 'off') return null
  const match = /^\s*(\d+(?:\.\d+)?)\/s(?:\s+burst\s+(\d+))?\s*$/.exec(text)
  if (match === null) return undefined
  const perSecond = Number(match[1])
  const burst = Number(match[2] ?? Math.ceil(perSecond))
  return perSecond > 0 && burst >= 1 && perSecond <= 1e6 && burst <= 1e9 ? { perSecond, burst } : undefined
}

export function formatRateLimit(limit: RateLimit | null): string {
  return limit === null ? 'off' : `${limit.perSecond}/s burst ${limit.burst}`
}

export interface Bucket {
  limit: RateLimit
  tokens: number
  filledAtMs: number
}

export function newBucket(limit: RateLimit, nowMs: number): Bucket {
  return { limit, tokens: limit.burst, filledAtMs: nowMs }
}

export function takeToken(bucket: Bucket, nowMs: number): boolean {
  return takeTokens(bucket, 1, nowMs)
}

/** Takes `count` tokens, or none if the bucket holds fewer; returns false then. */
export function takeTokens(bucket: Bucket, count: number, nowMs: number): boolean {
  const { perSecond, burst } = bucket.limit
  bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.filledAtMs) / 1000) * perSecond)
  bucket.filledAtMs = nowMs
  if (bucket.tokens < count) return false
  bucket.tokens -= count
  return true
}

export function refundToken(bucket: Bucket): void {
  bucket.tokens = Math.min(bucket.limit.burst, bucket.tokens + 1)
}

/** Returns after how many seconds the bucket will hold `count` tokens; at least 1. */
export function secondsToNext(bucket: Bucket, count = 1): number {
  return Math.max(1, Math.ceil((count - bucket.tokens) / bucket.limit.perSecond))
}

/** Returns the tokens that a request takes: one for each operation, but at most a tenth of `burst`. */
export function costOf(operations: number, { burst }: RateLimit): number {
  return Math.min(operations, Math.max(1, Math.floor(burst / 10)))
}

export function secondsToFull(bucket: Bucket): number {
  return Math.ceil((bucket.limit.burst - bucket.tokens) / bucket.limit.perSecond)
}

export function isFull(bucket: Bucket, nowMs: number): boolean {
  return nowMs - bucket.filledAtMs >= secondsToFull(bucket) * 1000
}
