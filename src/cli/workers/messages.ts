import type { MetricsSnapshot } from '../../http/observability/metrics.ts'
import type { DemoNotice } from '../lifecycle.ts'

export type FromWorker =
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; line: string; stack: string | undefined }
  | { kind: 'demo'; notice: DemoNotice }
  | { kind: 'connections'; count: number; hasReadinessProbe: boolean }
  /** Sent by the worker that a scrape of /metrics reached, with its own metrics, to request those of the others. */
  | { kind: 'collect metrics'; requestId: number; counted: MetricsSnapshot }
  | { kind: 'metrics'; requestId: number; counted: MetricsSnapshot }

export type ToWorker =
  | { kind: 'load demo' }
  | { kind: 'stop'; hasReadinessProbe: boolean }
  /** Asks the worker to close `count` connections, those above its share. */
  | { kind: 'surplus'; count: number }
  | { kind: 'report metrics'; requestId: number }
  /** The metrics of all workers but this one, in response to `collect metrics`. */
  | { kind: 'collected metrics'; requestId: number; counted: MetricsSnapshot[] }
  /** The last metrics of the crashed worker that this one replaces, so that its counters do not restart at zero. */
  | { kind: 'inherit metrics'; counted: MetricsSnapshot }
