import { defineWords } from '../app/define-words.ts'

export const timeRangeWords = defineWords(
  {
    period: 'Period',
    any: 'Any time',
    hour: 'Last hour',
    day: 'Last 24 hours',
    night: 'Last night, 20:00 to 8:00',
    week: 'Last 7 days',
    from: 'From',
    to: 'To',
    show: 'Show',
    since: (at: string) => `since ${at}`,
    until: (at: string) => `until ${at}`,
    reversed: 'The end must be after the start.',
  },
  {
    period: 'Période',
    any: 'Toutes les dates',
    hour: 'Dernière heure',
    day: '24 dernières heures',
    night: 'La nuit dernière, de 20 h à 8 h',
    week: '7 derniers jours',
    from: 'Du',
    to: 'Au',
    show: 'Afficher',
    since: (at: string) => `depuis le ${at}`,
    until: (at: string) => `jusqu’au ${at}`,
    reversed: 'La fin doit être postérieure au début.',
  },
)
