import type { Counted } from '../../http/observability/metrics.ts'
import type { DemoNotice } from '../ready.ts'

export type FromWorker =
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; line: string; stack: string | undefined }
  | { kind: 'demo'; notice: DemoNotice }
  | { kind: 'connections'; count: number; isWatched: boolean }
  /** Somebody asked this worker for the metrics: here are its own. */
  | { kind: 'gather'; question: number; counted: Counted }
  | { kind: 'counted'; question: number; counted: Counted }

export type ToWorker =
  | { kind: 'load demo' }
  /** With a word on whether any of them is watched by a balancer. */
  | { kind: 'stop'; isWatched: boolean }
  /** It has so many connections more than its share. */
  | { kind: 'surplus'; count: number }
  | { kind: 'count'; question: number }
  /** What the others counted. */
  | { kind: 'gathered'; question: number; counted: Counted[] }
  /** What the worker counted whose place this one takes. */
  | { kind: 'inherit'; counted: Counted }
