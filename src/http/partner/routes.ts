import { getArea, listAreas } from './areas.ts'
import { getAutocompleteList, replaceAutocompleteList } from './autocomplete-list.ts'
import type { Endpoint } from './endpoint.ts'
import { listEvents } from './events.ts'
import { getFacility, listFacilities, patchName, patchSsidPublic, patchSubscriptionUrl } from './facilities.ts'
import { getMe } from './me.ts'
import { listRequests } from './requests.ts'
import { postBulk } from './rooms/bulk.ts'
import { postMove } from './rooms/move.ts'
import { deleteRoom, postRoom } from './rooms/room.ts'
import { patchSubscription, putSubscriptions } from './rooms/subscription-changes.ts'
import { deleteSubscription, getSubscriptions, postSubscriptions } from './rooms/subscriptions.ts'
import { getSandbox, postSandboxClock, postSandboxReset } from './sandbox.ts'
import { listWebhookDeliveries, postWebhookPing, postWebhookReplay, postWebhookRotation } from './webhook-actions.ts'
import { deleteWebhook, getWebhook, listWebhooks, patchWebhook, postWebhook } from './webhooks.ts'

/** A handler checks the grants when it looks up its facility (`facilityFor`) or room (`areaFor`). */
export const partnerEndpoints: Endpoint[] = [
  listFacilities, //          GET     /v1/facilities/
  getFacility, //             GET     /v1/facilities/{facilityExternalId}/
  listAreas, //               GET     /v1/facilities/{facilityExternalId}/areas
  getAutocompleteList, //     GET     /v1/facilities/{facilityExternalId}/areas_autocomplete_list
  replaceAutocompleteList, // PATCH   /v1/facilities/{facilityExternalId}/areas_autocomplete_list
  patchName, //               PATCH   /v1/facilities/{facilityExternalId}/name
  patchSsidPublic, //         PATCH   /v1/facilities/{facilityExternalId}/ssid_public
  patchSubscriptionUrl, //    PATCH   /v1/facilities/{facilityExternalId}/subscription_url
  getArea, //                 GET     /v1/areas/{areaExternalId}/
  postRoom, //                POST    /v1/areas/{areaExternalId}/
  deleteRoom, //              DELETE  /v1/areas/{areaExternalId}/
  getSubscriptions, //        GET     /v1/areas/{areaExternalId}/data_services
  postSubscriptions, //       POST    /v1/areas/{areaExternalId}/data_services
  putSubscriptions, //        PUT     /v1/areas/{areaExternalId}/data_services
  patchSubscription, //       PATCH   /v1/areas/{areaExternalId}/data_services/{serviceId}
  deleteSubscription, //      DELETE  /v1/areas/{areaExternalId}/data_services/{serviceId}
  postMove, //                POST    /v1/areas/{areaExternalId}/move
  postBulk, //                POST    /v1/facilities/{facilityExternalId}/areas/bulk
  listEvents, //              GET     /v1/events
  listWebhooks, //            GET     /v1/webhooks
  postWebhook, //             POST    /v1/webhooks
  getWebhook, //              GET     /v1/webhooks/{webhookId}
  patchWebhook, //            PATCH   /v1/webhooks/{webhookId}
  deleteWebhook, //           DELETE  /v1/webhooks/{webhookId}
  postWebhookPing, //         POST    /v1/webhooks/{webhookId}/ping
  postWebhookRotation, //     POST    /v1/webhooks/{webhookId}/rotate
  listWebhookDeliveries, //   GET     /v1/webhooks/{webhookId}/deliveries
  postWebhookReplay, //       POST    /v1/webhooks/{webhookId}/replay
  getSandbox, //              GET     /v1/sandbox
  postSandboxReset, //        POST    /v1/sandbox/reset
  postSandboxClock, //        POST    /v1/sandbox/clock
  getMe, //                   GET     /v1/me
  listRequests, //            GET     /v1/requests
]
