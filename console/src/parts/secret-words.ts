import { defineWords } from '../app/define-words.ts'

export const secretWords = defineWords(
  {
    question: 'It has not been copied and cannot be shown again. Close anyway?',
    close: 'Close without copying',
    stay: 'Go back',
  },
  {
    question: 'Il n’a pas été copié et ne sera plus affiché. Fermer quand même ?',
    close: 'Fermer sans copier',
    stay: 'Retour',
  },
)
