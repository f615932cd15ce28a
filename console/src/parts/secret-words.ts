import { defineWords } from '../app/language.tsx'

export const secretWords = defineWords(
  {
    question: 'It was not copied, and cannot be shown again. Close?',
    close: 'Close without copying',
    stay: 'Go back',
  },
  {
    question: 'Rien n’a été copié, et ce ne sera plus affiché. Fermer ?',
    close: 'Fermer sans copier',
    stay: 'Revenir',
  },
)
