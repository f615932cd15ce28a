import { defineWords } from '../../app/language.tsx'
import type { Plane } from './grant-fields.ts'

interface RightWords {
  planes: Record<Plane, string>
  fields: Record<string, string>
  all: string
}

/** What each right lets a partner do; the API's own names are shown beside these. */
export const rightWords = defineWords<RightWords>(
  {
    planes: { read: 'Read', write: 'Write', rooms: 'Room actions' },
    all: 'All',
    fields: {
      date_created: 'Date created',
      date_updated: 'Date changed',
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
      services: 'Services of guests',
    },
  },
  {
    planes: { read: 'Lecture', write: 'Écriture', rooms: 'Actions sur les chambres' },
    all: 'Tout',
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
