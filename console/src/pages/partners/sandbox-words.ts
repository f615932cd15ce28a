import { defineWords } from '../../app/language.tsx'

export const sandboxWords = defineWords(
  {
    none: 'No sandbox yet',
    noneHelp:
      'Copies of some facilities, without anything of a guest, in which the partner can try everything. Tokens for it begin with atr_test_.',
    make: 'Make a sandbox',
    create: 'Make',
    facilities: 'Facilities to copy',
    facilitiesHelp: 'Those that grants of the partner cover, at most 20.',
    copyOf: (facility: string) => `a copy of ${facility}`,
    id: 'Id',
    clock: 'Clock',
    realTime: 'real time',
    ahead: 'ahead of real time',
    lastReset: 'Last reset',
    advance: 'Move the clock on by',
    steps: { PT15M: '15 minutes', PT1H: '1 hour', P1D: '1 day', P1W: '1 week' },
    moved: 'The clock was moved.',
    reset: 'Reset',
    resetHelp: 'Everything that was changed in it is put back, all rooms are closed, and the clock shows real time.',
    wasReset: 'The sandbox is as it was in the beginning.',
    remove: 'Remove sandbox',
    removeHelp: (id: string) => `${id} goes with its facilities, webhooks and tokens, which are refused at once.`,
    tokens: 'Tokens of the sandbox',
  },
  {
    none: 'Aucun bac à sable',
    noneHelp:
      'Des copies de quelques établissements, sans rien d’un client, dans lesquelles le partenaire peut tout essayer. Leurs jetons commencent par atr_test_.',
    make: 'Créer un bac à sable',
    create: 'Créer',
    facilities: 'Établissements à copier',
    facilitiesHelp: 'Ceux que les droits du partenaire couvrent, 20 au plus.',
    copyOf: (facility: string) => `une copie de ${facility}`,
    id: 'Id',
    clock: 'Horloge',
    realTime: 'heure réelle',
    ahead: 'en avance sur l’heure réelle',
    lastReset: 'Dernière réinitialisation',
    advance: 'Avancer l’horloge de',
    steps: { PT15M: '15 minutes', PT1H: '1 heure', P1D: '1 jour', P1W: '1 semaine' },
    moved: 'L’horloge a été avancée.',
    reset: 'Réinitialiser',
    resetHelp:
      'Tout ce qui y a été modifié est remis en place, toutes les chambres sont fermées et l’horloge montre l’heure réelle.',
    wasReset: 'Le bac à sable est comme au début.',
    remove: 'Supprimer le bac à sable',
    removeHelp: (id: string) =>
      `${id} disparaît avec ses établissements, ses webhooks et ses jetons, qui sont aussitôt refusés.`,
    tokens: 'Jetons du bac à sable',
  },
)
