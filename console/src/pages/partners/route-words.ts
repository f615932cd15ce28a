import { defineWords } from '../../app/define-words.ts'

const facility = '/v1/facilities/{facilityExternalId}'
const room = '/v1/areas/{areaExternalId}'
const webhook = '/v1/webhooks/{webhookId}'

/** What a partner does with each request that needs a permission. */
export const routeWords = defineWords<Record<string, string>>(
  {
    [`GET ${facility}`]: 'Read a facility',
    [`GET ${facility}/areas`]: 'Read the rooms',
    [`GET ${facility}/areas_autocomplete_list`]: 'Read the list for installers',
    [`PATCH ${facility}/areas_autocomplete_list`]: 'Replace the list for installers',
    [`PATCH ${facility}/name`]: 'Rename the facility',
    [`PATCH ${facility}/ssid_public`]: 'Change the public Wi-Fi network',
    [`PATCH ${facility}/subscription_url`]: 'Change the portal',
    [`POST ${facility}/areas/bulk`]: 'Change many rooms',
    [`GET ${room}`]: 'Read a room',
    [`POST ${room}`]: 'Open a room',
    [`DELETE ${room}`]: 'Close a room',
    [`POST ${room}/move`]: 'Move a guest',
    [`GET ${room}/data_services`]: 'Read guest services',
    [`POST ${room}/data_services`]: 'Add guest services',
    [`PUT ${room}/data_services`]: 'Replace guest services',
    [`PATCH ${room}/data_services/{serviceId}`]: 'Change a guest service',
    [`DELETE ${room}/data_services/{serviceId}`]: 'Remove a guest service',
    'GET /v1/webhooks': 'List webhooks',
    'POST /v1/webhooks': 'Add a webhook',
    [`GET ${webhook}`]: 'Read a webhook',
    [`PATCH ${webhook}`]: 'Change a webhook',
    [`DELETE ${webhook}`]: 'Remove a webhook',
    [`POST ${webhook}/ping`]: 'Test a webhook',
    [`POST ${webhook}/rotate`]: 'Replace the secret of a webhook',
    [`GET ${webhook}/deliveries`]: 'Read the log of a webhook',
    [`POST ${webhook}/replay`]: 'Send events again',
  },
  {
    [`GET ${facility}`]: 'Lire un établissement',
    [`GET ${facility}/areas`]: 'Lire les chambres',
    [`GET ${facility}/areas_autocomplete_list`]: 'Lire la liste des installateurs',
    [`PATCH ${facility}/areas_autocomplete_list`]: 'Remplacer la liste des installateurs',
    [`PATCH ${facility}/name`]: 'Renommer l’établissement',
    [`PATCH ${facility}/ssid_public`]: 'Changer le réseau Wi-Fi public',
    [`PATCH ${facility}/subscription_url`]: 'Changer le portail',
    [`POST ${facility}/areas/bulk`]: 'Modifier plusieurs chambres',
    [`GET ${room}`]: 'Lire une chambre',
    [`POST ${room}`]: 'Ouvrir une chambre',
    [`DELETE ${room}`]: 'Fermer une chambre',
    [`POST ${room}/move`]: 'Changer un client de chambre',
    [`GET ${room}/data_services`]: 'Lire les services d’un client',
    [`POST ${room}/data_services`]: 'Ajouter des services à un client',
    [`PUT ${room}/data_services`]: 'Remplacer les services d’un client',
    [`PATCH ${room}/data_services/{serviceId}`]: 'Modifier un service d’un client',
    [`DELETE ${room}/data_services/{serviceId}`]: 'Supprimer un service d’un client',
    'GET /v1/webhooks': 'Lister les webhooks',
    'POST /v1/webhooks': 'Ajouter un webhook',
    [`GET ${webhook}`]: 'Lire un webhook',
    [`PATCH ${webhook}`]: 'Modifier un webhook',
    [`DELETE ${webhook}`]: 'Supprimer un webhook',
    [`POST ${webhook}/ping`]: 'Tester un webhook',
    [`POST ${webhook}/rotate`]: 'Remplacer le secret d’un webhook',
    [`GET ${webhook}/deliveries`]: 'Lire le journal d’un webhook',
    [`POST ${webhook}/replay`]: 'Renvoyer des événements',
  },
)

/** Returns what a partner does with a request; undefined for one that needs no permission. */
export function actionOf(method: string, route: string, words: Record<string, string>): string | undefined {
  return words[`${method === 'HEAD' ? 'GET' : method} ${route.replace(/\/$/, '')}`]
}
