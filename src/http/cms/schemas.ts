import { SandboxForOperators } from '../sandbox-view.ts'
import { areaSchemas } from './estate/area-view.ts'
import { facilitySchemas } from './estate/facility-view.ts'
import { verificationSchemas } from './files/audit.ts'
import { auditSchemas } from './logs/audit-view.ts'
import { figureSchemas } from './logs/figures.ts'
import { requestSchemas } from './logs/request-view.ts'
import { operatorSchemas } from './operators/operator-view.ts'
import { partnerSchemas } from './partners/partner-view.ts'
import { tokenSchemas } from './partners/token-view.ts'
import { operatorWebhookSchemas } from './partners/webhooks.ts'
import { settingSchemas } from './settings.ts'

export const cmsComponents = {
  ...areaSchemas,
  ...facilitySchemas,
  ...partnerSchemas,
  ...tokenSchemas,
  ...operatorWebhookSchemas,
  Sandbox: SandboxForOperators,
  ...requestSchemas,
  ...auditSchemas,
  ...verificationSchemas,
  ...settingSchemas,
  ...figureSchemas,
  ...operatorSchemas,
}
