import { defineWords } from '../../app/language.tsx'

export const pickerWords = defineWords(
  {
    facilities: 'Facilities',
    find: 'Name or id, or paste a list',
    none: 'No matching facility',
    looking: 'Searching …',
    more: (count: number) => `Show ${count} more`,
    fewer: 'Show fewer',
    remove: (id: string) => `Remove ${id}`,
    correct: (id: string) => `Correct ${id}: there is no such facility`,
    unknown: (ids: string, others: number) => `No such facility: ${ids}${others > 0 ? ` and ${others} more` : ''}`,
    removeUnknown: (count: number) => (count === 1 ? 'Remove it' : `Remove all ${count}`),
  },
  {
    facilities: 'Établissements',
    find: 'Nom ou id, ou collez une liste',
    none: 'Aucun établissement ne correspond',
    looking: 'Recherche …',
    more: (count: number) => `Afficher ${count} de plus`,
    fewer: 'En afficher moins',
    remove: (id: string) => `Retirer ${id}`,
    correct: (id: string) => `Corriger ${id} : cet établissement n’existe pas`,
    unknown: (ids: string, others: number) =>
      `Aucun établissement : ${ids}${others > 0 ? ` et ${others} de plus` : ''}`,
    removeUnknown: (count: number) => (count === 1 ? 'Le retirer' : `Retirer les ${count}`),
  },
)
