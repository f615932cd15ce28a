import { defineWords } from '../../app/define-words.ts'

/** Texts about devices, and labels of their usual types and states; the API takes any other word too. */
export const deviceWords = defineWords(
  {
    add: 'Add device',
    id: 'ID',
    type: 'Type',
    model: 'Model',
    serial: 'Serial number',
    status: 'Status',
    area: 'Room',
    types: {
      tv: 'TV',
      bedside_terminal: 'bedside terminal',
      access_point: 'access point',
      gateway: 'gateway',
      controller: 'controller',
    } as Record<string, string>,
    statuses: { online: 'online', offline: 'offline' } as Record<string, string>,
    remove: (id: string) => `Remove device ${id}`,
    removeHelp: 'Partners will no longer see it. You can add it again later.',
    emptyTitle: 'No devices yet',
    empty: 'Add them here, or let installers associate them with rooms in the installer view.',
  },
  {
    add: 'Ajouter un appareil',
    id: 'Identifiant',
    type: 'Type',
    model: 'Modèle',
    serial: 'Numéro de série',
    status: 'État',
    area: 'Chambre',
    types: {
      tv: 'téléviseur',
      bedside_terminal: 'terminal de chevet',
      access_point: 'borne Wi-Fi',
      gateway: 'passerelle',
      controller: 'contrôleur',
    } as Record<string, string>,
    statuses: { online: 'en ligne', offline: 'hors ligne' } as Record<string, string>,
    remove: (id: string) => `Supprimer l’appareil ${id}`,
    removeHelp: 'Les partenaires ne le verront plus. Vous pourrez l’ajouter à nouveau.',
    emptyTitle: 'Aucun appareil',
    empty:
      'Ajoutez des appareils ici, ou laissez les installateurs les associer aux chambres dans la vue des installateurs.',
  },
)
