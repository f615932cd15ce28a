import { defineWords } from '../../app/define-words.ts'

export const matrixWords = defineWords(
  {
    facilities: 'Facilities',
    everywhere: 'All facilities, including future ones',
    add: 'Add permission',
    remove: 'Remove this permission',
    emptyTitle: 'No permissions: this partner sees nothing',
    empty: 'A permission lets the partner read, write or act on rooms in the facilities you choose.',
    hint: 'If several permissions cover a facility, they combine.',
    granted: 'granted',
  },
  {
    facilities: 'Établissements',
    everywhere: 'Tous les établissements, y compris les futurs',
    add: 'Ajouter une autorisation',
    remove: 'Supprimer cette autorisation',
    emptyTitle: 'Aucune autorisation : ce partenaire ne voit rien',
    empty:
      'Une autorisation permet au partenaire de lire ou de modifier des données des établissements choisis, ou d’agir sur leurs chambres.',
    hint: 'Si plusieurs autorisations couvrent un établissement, elles s’additionnent.',
    granted: 'accordée',
  },
)
