import type { SettingName } from '../../../../src/domain/setting.ts'
import { defineWords } from '../../app/language.tsx'

/** Label and explanation of each setting. */
export const installationWords = defineWords<Record<SettingName, [string, string]>>(
  {
    request_log_days: ['Request log: days', 'Requests older than this are forgotten.'],
    request_log_rows: ['Request log: entries', 'At most so many are kept.'],
    request_log_successes: [
      'Request log: answered requests per second',
      'So many does each node write down. Refused ones come first, and all are counted.',
    ],
    many_refused: ['Partners: refused requests', 'From so many 403 in an hour on, a partner needs attention.'],
    token_warning_days: ['Tokens: days before the end', 'From then on a token needs attention.'],
    token_unused_days: ['Tokens: days without use', 'After so many a token needs attention.'],
    ending_soon_hours: ['Services: hours before the end', 'From then on a service is shown on the overview.'],
  },
  {
    request_log_days: ['Journal des requêtes : jours', 'Les requêtes plus anciennes sont oubliées.'],
    request_log_rows: ['Journal des requêtes : entrées', 'Au plus ce nombre est conservé.'],
    request_log_successes: [
      'Journal : requêtes servies par seconde',
      'Autant sont notées par nœud. Les refusées d’abord, et toutes sont comptées.',
    ],
    many_refused: [
      'Partenaires : requêtes refusées',
      'À partir d’autant de 403 en une heure, un partenaire est signalé.',
    ],
    token_warning_days: ['Jetons : jours avant la fin', 'Dès lors un jeton est signalé.'],
    token_unused_days: ['Jetons : jours sans usage', 'Au-delà, un jeton est signalé.'],
    ending_soon_hours: ['Services : heures avant la fin', 'Dès lors un service figure à la vue d’ensemble.'],
  },
)
