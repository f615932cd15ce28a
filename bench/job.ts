import type { PlainRequest } from './work.ts'

/** Load for a server: until the time is over, or until each request was made once. */
export interface LoadJob {
  kind: 'load'
  url: string
  connections: number
  requests: PlainRequest[]
  until: { seconds: number } | 'once'
  /** Requests a second, evenly; without, as many as the server answers. */
  rate?: number
  /** Head and body of each request are written one after the other. */
  isSplit?: boolean
  /** What every answer must be; 200 stands for any success, since peers differ there. */
  status: 200 | 304
}

/** Each request once, for what is in the answers. */
export interface CollectJob {
  kind: 'collect'
  url: string
  connections: number
  requests: PlainRequest[]
  take: 'etag' | 'body'
}

export interface LoadResult {
  /** Answers a second. */
  rate: number
  answers: number
  seconds: number
  /** Milliseconds; with a fixed rate counted from the moment the request was due. */
  p50: number
  p99: number
  max: number
  /** Processor time that the driver itself spent on one answer: when it is more than the server's, the driver is the limit. */
  driverMicroseconds: number
}

export type DriverAnswer = { result: LoadResult } | { taken: string[] } | { failure: string }
