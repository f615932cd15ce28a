import type { RightKind } from '../../../../src/domain/access/grant-difference.ts'
import { defineWords } from '../../app/define-words.ts'

export interface RightWords {
  kinds: Record<RightKind, string>
  fields: Record<string, string>
  all: string
  /** Formats a permission from the labels of operation and field. */
  one(kind: string, field: string): string
}

/** Labels of a partner's permissions; the API names are shown on hover. */
export const rightWords = defineWords<RightWords>(
  {
    kinds: { read: 'Read', write: 'Write', rooms: 'Room actions' },
    all: 'All',
    one: (kind: string, field: string) => `${kind}: ${field}`,
    fields: {
      date_created: 'Date created',
      date_updated: 'Date updated',
      name: 'Name',
      ssid_public: 'Public Wi-Fi',
      address: 'Address',
      subscription_url: 'Portal',
      type: 'Type',
      subscribed: 'Subscribed',
      devices: 'Devices',
      areas: 'Rooms',
      areas_autocomplete_list: 'List for installers',
      open_close: 'Open and close',
      services: 'Guest services',
    },
  },
  {
    kinds: { read: 'Lecture', write: 'Écriture', rooms: 'Actions sur les chambres' },
    all: 'Tout',
    one: (kind: string, field: string) => `${kind} : ${field}`,
    fields: {
      date_created: 'Date de création',
      date_updated: 'Date de modification',
      name: 'Nom',
      ssid_public: 'Wi-Fi public',
      address: 'Adresse',
      subscription_url: 'Portail',
      type: 'Type',
      subscribed: 'Abonné',
      devices: 'Appareils',
      areas: 'Chambres',
      areas_autocomplete_list: 'Liste des installateurs',
      open_close: 'Ouvrir et fermer',
      services: 'Services des clients',
    },
  },
)

/** Returns the label of a permission that the API names `write: ssid_public`. */
export function permissionName(named: string, { kinds, fields, one }: RightWords): string {
  const [kind = '', field = ''] = named.split(': ')
  const label = kinds[kind as RightKind]
  return label === undefined ? named : one(label, fields[field] ?? field)
}
