import { defineWords } from '../../app/define-words.ts'

export const pickerWords = defineWords(
  {
    facilities: 'Facilities',
    find: 'Name or ID, or paste a list',
    none: 'No matching facilities',
    looking: 'Searching…',
    more: (count: number) => `Show ${count} more`,
    fewer: 'Show fewer',
    remove: (id: string) => `Remove ${id}`,
    correct: (id: string) => `Correct ${id}: no such facility`,
    unknown: (ids: string, others: number) => `No such facility: ${ids}${others > 0 ? ` and ${others} more` : ''}`,
    removeUnknown: (count: number) => (count === 1 ? 'Remove it' : `Remove all ${count}`),
  },
  {
    facilities: 'Établissements',
    find: 'Nom, identifiant ou liste',
    none: 'Aucun établissement ne correspond',
    looking: 'Recherche…',
    more: (count: number) => `Afficher ${count} de plus`,
    fewer: 'En afficher moins',
    remove: (id: string) => `Retirer ${id}`,
    correct: (id: string) => `Corriger ${id} : cet établissement n’existe pas`,
    unknown: (ids: string, others: number) =>
      `Établissement inconnu : ${ids}${others > 0 ? ` et ${others} de plus` : ''}`,
    removeUnknown: (count: number) => (count === 1 ? 'Le retirer' : `Retirer les ${count}`),
  },
)
