import type { CmsEndpoint } from './endpoint.ts'
import { deleteAreas, listAreas, patchAreas, postAreas } from './estate/areas.ts'
import { postCloseMany } from './estate/close-areas.ts'
import { deleteDevice, putDevice } from './estate/devices.ts'
import { getExport } from './estate/export.ts'
import { deleteFacility, getFacility, listFacilities, patchFacility, postFacility } from './estate/facilities.ts'
import { postImport } from './estate/import.ts'
import { postAreaImport } from './estate/import-areas.ts'
import { getList, getListDifferences, putList } from './estate/list.ts'
import { deleteService, getArea, patchService, postClose, postMove, postOpen, postServices } from './estate/rooms.ts'
import { exportSealedAudit, postAuditVerification } from './files/audit.ts'
import { getBackup } from './files/backup.ts'
import { exportAudit, getAuditEntry, listAudit, listHistory, postUndo } from './logs/audit-log.ts'
import { getFigures } from './logs/figures.ts'
import { exportRequests, followRequests, listRequests } from './logs/requests.ts'
import { deleteKey, listKeys, postKey, postKeyRotation } from './operators/keys.ts'
import { deleteSession, deleteSessions, getMe, getSessions, patchMe, signOut } from './operators/me.ts'
import {
  deleteOperator,
  getOperator,
  listOperators,
  patchOperator,
  postOperator,
  postOperatorLink,
} from './operators/operators.ts'
import { signIn, signInByLink } from './operators/sign-in.ts'
import { getSignIn, postSingleSignOn, postSingleSignOnReturn } from './operators/single-sign-on.ts'
import { postAccessCheck } from './partners/access-check.ts'
import { listAccess } from './partners/access-matrix.ts'
import { postContractCheck } from './partners/contract-check.ts'
import { deletePartner, getPartner, listPartners, patchPartner, postPartner } from './partners/partners.ts'
import { postRehearsal } from './partners/rehearsal.ts'
import {
  deleteSandbox,
  getSandbox,
  listPartnerSandboxes,
  postSandbox,
  postSandboxClock,
  postSandboxReset,
} from './partners/sandbox.ts'
import { postTokenImport } from './partners/token-import.ts'
import { deleteToken, listAllTokens, listTokens, patchToken, postToken, postTokenRotation } from './partners/tokens.ts'
import {
  listWebhookDeliveries,
  postWebhookPing,
  postWebhookReplay,
  postWebhookRetry,
  postWebhookRotation,
} from './partners/webhook-actions.ts'
import { deleteWebhook, getWebhook, listWebhooks, patchWebhook, postWebhook } from './partners/webhooks.ts'
import { getAbout, getSettings, patchSettings } from './settings.ts'

/** All routes of `/cms/v1`, each with the lowest role that may call it. */
export const cmsRoutes: CmsEndpoint[] = [
  getSignIn, //         anyone  GET     /cms/v1/sign-in
  signIn, //            anyone  POST    /cms/v1/sign-in
  signInByLink, //      anyone  POST    /cms/v1/sign-in/link
  postSingleSignOn, //  anyone  POST    /cms/v1/sign-in/oidc
  postSingleSignOnReturn, // anyone POST /cms/v1/sign-in/oidc/return
  signOut, //           viewer  POST    /cms/v1/sign-out
  getMe, //             viewer  GET     /cms/v1/me
  patchMe, //           viewer  PATCH   /cms/v1/me
  getSessions, //       viewer  GET     /cms/v1/sessions
  deleteSession, //     viewer  DELETE  /cms/v1/sessions/{sessionId}
  deleteSessions, //    viewer  DELETE  /cms/v1/sessions
  listOperators, //     admin   GET     /cms/v1/operators
  postOperator, //      admin   POST    /cms/v1/operators
  getOperator, //       admin   GET     /cms/v1/operators/{operatorId}
  patchOperator, //     admin   PATCH   /cms/v1/operators/{operatorId}
  deleteOperator, //    admin   DELETE  /cms/v1/operators/{operatorId}
  postOperatorLink, //  admin   POST    /cms/v1/operators/{operatorId}/link
  listKeys, //          viewer  GET     /cms/v1/keys
  postKey, //           viewer  POST    /cms/v1/keys
  postKeyRotation, //   viewer  POST    /cms/v1/keys/{keyId}/rotate
  deleteKey, //         viewer  DELETE  /cms/v1/keys/{keyId}
  listFacilities, //    viewer  GET     /cms/v1/facilities
  postFacility, //      editor  POST    /cms/v1/facilities
  getFacility, //       viewer  GET     /cms/v1/facilities/{facilityId}
  patchFacility, //     editor  PATCH   /cms/v1/facilities/{facilityId}
  deleteFacility, //    admin   DELETE  /cms/v1/facilities/{facilityId}
  getExport, //         admin   GET     /cms/v1/export
  postImport, //        admin   POST    /cms/v1/import
  listAreas, //         viewer  GET     /cms/v1/facilities/{facilityId}/areas
  postAreas, //         editor  POST    /cms/v1/facilities/{facilityId}/areas
  patchAreas, //        editor  PATCH   /cms/v1/facilities/{facilityId}/areas
  deleteAreas, //       editor  DELETE  /cms/v1/facilities/{facilityId}/areas
  postAreaImport, //    editor  POST    /cms/v1/facilities/{facilityId}/areas/import
  postCloseMany, //     editor  POST    /cms/v1/facilities/{facilityId}/areas/close
  getArea, //           viewer  GET     /cms/v1/areas/{areaId}
  postOpen, //          editor  POST    /cms/v1/areas/{areaId}/open
  postClose, //         editor  POST    /cms/v1/areas/{areaId}/close
  postMove, //          editor  POST    /cms/v1/areas/{areaId}/move
  postServices, //      editor  POST    /cms/v1/areas/{areaId}/services
  patchService, //      editor  PATCH   /cms/v1/areas/{areaId}/services/{serviceId}
  deleteService, //     editor  DELETE  /cms/v1/areas/{areaId}/services/{serviceId}
  getList, //           viewer  GET     /cms/v1/facilities/{facilityId}/list
  putList, //           editor  PUT     /cms/v1/facilities/{facilityId}/list
  getListDifferences, // viewer GET     /cms/v1/facilities/{facilityId}/list/differences
  putDevice, //         editor  PUT     /cms/v1/facilities/{facilityId}/devices/{deviceId}
  deleteDevice, //      editor  DELETE  /cms/v1/facilities/{facilityId}/devices/{deviceId}
  listPartners, //      viewer  GET     /cms/v1/partners
  postPartner, //       admin   POST    /cms/v1/partners
  getPartner, //        viewer  GET     /cms/v1/partners/{partnerId}
  patchPartner, //      admin   PATCH   /cms/v1/partners/{partnerId}
  deletePartner, //     admin   DELETE  /cms/v1/partners/{partnerId}
  listPartnerSandboxes, // viewer GET   /cms/v1/partners/{partnerId}/sandboxes
  getSandbox, //        viewer  GET     /cms/v1/partners/{partnerId}/sandbox
  postSandbox, //       admin   POST    /cms/v1/partners/{partnerId}/sandbox
  deleteSandbox, //     admin   DELETE  /cms/v1/partners/{partnerId}/sandbox
  postSandboxReset, //  admin   POST    /cms/v1/partners/{partnerId}/sandbox/reset
  postSandboxClock, //  admin   POST    /cms/v1/partners/{partnerId}/sandbox/clock
  listAllTokens, //     admin   GET     /cms/v1/tokens
  listTokens, //        admin   GET     /cms/v1/partners/{partnerId}/tokens
  postToken, //         admin   POST    /cms/v1/partners/{partnerId}/tokens
  patchToken, //        admin   PATCH   /cms/v1/tokens/{tokenId}
  postTokenImport, // admin   POST    /cms/v1/partners/{partnerId}/tokens/import
  postTokenRotation, // admin   POST    /cms/v1/tokens/{tokenId}/rotate
  deleteToken, //       admin   DELETE  /cms/v1/tokens/{tokenId}
  listWebhooks, //      viewer  GET     /cms/v1/partners/{partnerId}/webhooks
  postWebhook, //       admin   POST    /cms/v1/partners/{partnerId}/webhooks
  getWebhook, //        viewer  GET     /cms/v1/partners/{partnerId}/webhooks/{webhookId}
  patchWebhook, //      admin   PATCH   /cms/v1/partners/{partnerId}/webhooks/{webhookId}
  deleteWebhook, //     admin   DELETE  /cms/v1/partners/{partnerId}/webhooks/{webhookId}
  postWebhookPing, //   admin   POST    /cms/v1/partners/{partnerId}/webhooks/{webhookId}/ping
  postWebhookRotation, // admin POST    /cms/v1/partners/{partnerId}/webhooks/{webhookId}/rotate
  listWebhookDeliveries, // viewer GET  /cms/v1/partners/{partnerId}/webhooks/{webhookId}/deliveries
  postWebhookRetry, //  admin   POST    /cms/v1/partners/{partnerId}/webhooks/{webhookId}/retry
  postWebhookReplay, // admin   POST    /cms/v1/partners/{partnerId}/webhooks/{webhookId}/replay
  listAccess, //        viewer  GET     /cms/v1/partners/{partnerId}/access
  postRehearsal, //     admin   POST    /cms/v1/partners/{partnerId}/rehearsal
  postContractCheck, // viewer  POST    /cms/v1/contract/check
  postAccessCheck, //   viewer  POST    /cms/v1/access-check
  listRequests, //      viewer  GET     /cms/v1/requests
  exportRequests, //    admin   GET     /cms/v1/requests/export
  followRequests, //    viewer  GET     /cms/v1/requests/stream
  listAudit, //         viewer  GET     /cms/v1/audit
  exportAudit, //       admin   GET     /cms/v1/audit/export
  exportSealedAudit, // admin   GET     /cms/v1/audit/sealed
  postAuditVerification, // admin POST  /cms/v1/audit/verify
  getAuditEntry, //     viewer  GET     /cms/v1/audit/{seq}
  postUndo, //          editor  POST    /cms/v1/audit/{seq}/undo
  listHistory, //       viewer  GET     /cms/v1/facilities/{facilityId}/history
  getFigures, //        viewer  GET     /cms/v1/figures
  getSettings, //       admin   GET     /cms/v1/settings
  patchSettings, //     admin   PATCH   /cms/v1/settings
  getAbout, //          viewer  GET     /cms/v1/about
  getBackup, //         admin   GET     /cms/v1/backup
]
