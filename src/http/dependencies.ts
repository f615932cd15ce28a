import type { Config } from '../config.ts'
import type { SendWebhook } from '../domain/webhook/webhook.ts'
import type { TokenUse } from '../operations/background/token-use.ts'
import type { Db } from '../storage/database.ts'
import type { Certificate } from './adapters/certificate.ts'
import type { OpenIdProvider } from './cms/operators/openid-provider.ts'
import type { Monitoring } from './monitoring.ts'
import type { Metrics } from './observability/metrics.ts'
import type { Observe } from './observability/observe.ts'
import type { Tracer } from './observability/telemetry/tracer.ts'
import type { Overload } from './pipeline/overload.ts'
import type { Proxies } from './pipeline/proxies.ts'
import type { Startup } from './startup.ts'

export interface ServerDependencies {
  config: Config
  db: Db
  observe: Observe
  metrics: Metrics
  tokenUse: TokenUse
  proxies: Proxies
  overload: Overload
  monitoring: Monitoring
  startup: Startup
  send: SendWebhook
  certificate: Certificate | undefined
  openIdProvider: OpenIdProvider | undefined
  tracer: Tracer | undefined
}
