import type { MetricsSnapshot } from '../../http/observability/metrics.ts'
import type { DemoNotice } from '../ready.ts'

export type FromWorker =
  | { kind: 'ready'; url: string }
  | { kind: 'failed'; line: string; stack: string | undefined }
  | { kind: 'demo'; notice: DemoNotice }
  | { kind: 'connections'; count: number; hasReadinessProbe: boolean }
  /** The worker that sends this was scraped: its own metrics, and a request for those of the others. */
  | { kind: 'collect metrics'; requestId: number; counted: MetricsSnapshot }
  | { kind: 'metrics'; requestId: number; counted: MetricsSnapshot }

export type ToWorker =
  | { kind: 'load demo' }
  /** `hasReadinessProbe`: whether a load balancer probes any of the workers. */
  | { kind: 'stop'; hasReadinessProbe: boolean }
  /** The number of connections above the worker's share, which it is to close. */
  | { kind: 'surplus'; count: number }
  | { kind: 'report metrics'; requestId: number }
  /** The metrics of all other workers. */
  | { kind: 'collected metrics'; requestId: number; counted: MetricsSnapshot[] }
  /** The metrics of the crashed worker that this one replaces. */
  | { kind: 'inherit metrics'; counted: MetricsSnapshot }
