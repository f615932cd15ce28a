import { defineWords } from '../../app/language.tsx'

/** Label and explanation of each setting that the API may offer. */
export const installationWords = defineWords<Record<string, [string, string]>>(
  {
    request_log_days: ['Request log: days', 'Requests older than this are forgotten.'],
    request_log_rows: ['Request log: entries', 'At most so many are kept.'],
    token_warning_days: ['Tokens: warning days', 'How long before its end a token is said to expire soon.'],
    ending_soon_hours: ['Services: ending soon, hours', 'How long before its end a service is shown on the overview.'],
  },
  {
    request_log_days: ['Journal des requêtes : jours', 'Les requêtes plus anciennes sont oubliées.'],
    request_log_rows: ['Journal des requêtes : entrées', 'Au plus ce nombre est conservé.'],
    token_warning_days: ['Jetons : jours d’avertissement', 'Combien de temps avant sa fin un jeton est annoncé.'],
    ending_soon_hours: ['Services : heures avant la fin', 'Combien de temps avant sa fin un service est signalé.'],
  },
)
