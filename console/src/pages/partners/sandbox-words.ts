import { defineWords } from '../../app/define-words.ts'

export const sandboxWords = defineWords(
  {
    none: 'No sandbox yet',
    noneHelp:
      'Copies of some facilities, without guest data, where the partner can test everything. Its tokens begin with atr_test_.',
    make: 'Create a sandbox',
    create: 'Create',
    facilities: 'Facilities to copy',
    facilitiesHelp: 'Facilities that the partner’s permissions cover, at most 20.',
    copyOf: (facility: string) => `copy of ${facility}`,
    id: 'ID',
    clock: 'Clock',
    realTime: 'real time',
    ahead: 'ahead of real time',
    lastReset: 'Last reset',
    advance: 'Advance the clock by',
    steps: { PT15M: '15 minutes', PT1H: '1 hour', P1D: '1 day', P1W: '1 week' },
    moved: 'The clock was advanced.',
    reset: 'Reset',
    resetHelp: 'Undoes all changes in the sandbox, closes all rooms, and sets the clock to real time.',
    wasReset: 'The sandbox has been reset.',
    remove: 'Remove sandbox',
    removeHelp: (id: string) =>
      `${id} will be permanently deleted, with its facilities, webhooks and tokens. Requests with its tokens will be refused immediately.`,
    tokens: 'Tokens of the sandbox',
  },
  {
    none: 'Aucun bac à sable',
    noneHelp:
      'Un bac à sable contient des copies d’établissements, sans données de clients, où le partenaire peut tout essayer. Ses jetons commencent par atr_test_.',
    make: 'Créer un bac à sable',
    create: 'Créer',
    facilities: 'Établissements à copier',
    facilitiesHelp: 'Ceux que couvrent les autorisations du partenaire, 20 au plus.',
    copyOf: (facility: string) => `copie de ${facility}`,
    id: 'Identifiant',
    clock: 'Horloge',
    realTime: 'heure réelle',
    ahead: 'en avance sur l’heure réelle',
    lastReset: 'Dernière réinitialisation',
    advance: 'Avancer l’horloge de',
    steps: { PT15M: '15 minutes', PT1H: '1 heure', P1D: '1 jour', P1W: '1 semaine' },
    moved: 'L’horloge a été avancée.',
    reset: 'Réinitialiser',
    resetHelp:
      'Annule toutes les modifications du bac à sable, ferme toutes les chambres et remet l’horloge à l’heure réelle.',
    wasReset: 'Le bac à sable a été réinitialisé.',
    remove: 'Supprimer le bac à sable',
    removeHelp: (id: string) =>
      `${id} sera définitivement supprimé, avec ses établissements, ses webhooks et ses jetons. Les requêtes avec ses jetons seront refusées immédiatement.`,
    tokens: 'Jetons du bac à sable',
  },
)
