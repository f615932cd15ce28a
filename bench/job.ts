import type { PlainRequest } from './work.ts'

/** Load for a server, for a given time or until each request was sent once. */
export interface LoadJob {
  kind: 'load'
  url: string
  connections: number
  requests: PlainRequest[]
  until: { seconds: number } | 'once'
  /** Constant rate in requests per second; default: the highest that the server can handle. */
  rate?: number
  /** Writes head and body of each request separately. */
  isSplit?: boolean
  /** Expected status; 200 stands for any success, because peers differ. */
  status: 200 | 304
}

/** Sends each request once and returns the responses. */
export interface CollectJob {
  kind: 'collect'
  url: string
  connections: number
  requests: PlainRequest[]
  take: 'etag' | 'body'
}

export interface LoadResult {
  /** Responses per second. */
  rate: number
  responses: number
  seconds: number
  /** In milliseconds; at a constant rate, from the scheduled time of the request. */
  p50: number
  p99: number
  max: number
  /** CPU time of the driver per response: if it exceeds that of the server, the driver is the bottleneck. */
  driverMicroseconds: number
}

export type DriverResult = { result: LoadResult } | { taken: string[] } | { failure: string }
