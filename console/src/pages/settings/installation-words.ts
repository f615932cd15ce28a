import type { SettingName } from '../../../../src/domain/setting.ts'
import { defineWords } from '../../app/language.tsx'

/** Label and explanation of each setting. */
export const installationWords = defineWords<Record<SettingName, [string, string]>>(
  {
    request_log_days: ['Request log: days', 'Requests older than this are forgotten.'],
    request_log_rows: ['Request log: entries', 'Keep at most this many entries.'],
    request_log_successes: [
      'Request log: answered requests per second',
      'Successful requests logged per second, per node. Refused requests take priority; all are counted.',
    ],
    many_refused: ['Partners: refused requests', 'Flag a partner after this many 403s in an hour.'],
    token_warning_days: ['Tokens: days before the end', 'Flag tokens this many days before they expire.'],
    token_unused_days: ['Tokens: days without use', 'Flag tokens unused for this many days.'],
    ending_soon_hours: [
      'Services: hours before the end',
      'Show services on the overview this many hours before they end.',
    ],
  },
  {
    request_log_days: ['Journal des requêtes : jours', 'Les requêtes plus anciennes sont oubliées.'],
    request_log_rows: ['Journal des requêtes : entrées', 'Conserver au plus ce nombre d’entrées.'],
    request_log_successes: [
      'Journal : requêtes servies par seconde',
      'Requêtes servies notées par seconde et par nœud. Les refusées passent d’abord ; toutes sont comptées.',
    ],
    many_refused: [
      'Partenaires : requêtes refusées',
      'Signaler un partenaire à partir de ce nombre de 403 en une heure.',
    ],
    token_warning_days: ['Jetons : jours avant la fin', 'Signaler un jeton ce nombre de jours avant son expiration.'],
    token_unused_days: ['Jetons : jours sans usage', 'Signaler un jeton inutilisé depuis ce nombre de jours.'],
    ending_soon_hours: [
      'Services : heures avant la fin',
      'Montrer un service à la vue d’ensemble ce nombre d’heures avant sa fin.',
    ],
  },
)
