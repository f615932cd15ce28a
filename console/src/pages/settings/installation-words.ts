import type { SettingName } from '../../../../src/domain/setting.ts'
import { defineWords } from '../../app/define-words.ts'

/** Label and explanation of each setting. */
export const installationWords = defineWords<Record<SettingName, [string, string]>>(
  {
    request_log_days: ['Request log: days', 'Requests older than this are deleted.'],
    request_log_rows: ['Request log: entries', 'Keep at most this many entries.'],
    request_log_successes: [
      'Request log: successful requests per second',
      'Successful requests logged per second, per node. Refused requests take priority; all are counted.',
    ],
    many_refused: ['Partners: refused requests', 'Flag a partner after this many 403s in an hour.'],
    token_warning_days: ['Tokens: days before they expire', 'Flag tokens this many days before they expire.'],
    token_unused_days: ['Tokens: days without use', 'Flag tokens unused for this many days.'],
    ending_soon_hours: [
      'Services: hours before they expire',
      'Show services on the overview this many hours before they expire.',
    ],
  },
  {
    request_log_days: ['Journal des requêtes : jours', 'Les requêtes plus anciennes sont supprimées.'],
    request_log_rows: ['Journal des requêtes : entrées', 'Conserver au plus ce nombre d’entrées.'],
    request_log_successes: [
      'Journal des requêtes : requêtes réussies par seconde',
      'Requêtes réussies enregistrées par seconde et par nœud. Les requêtes refusées sont prioritaires ; toutes sont comptées.',
    ],
    many_refused: [
      'Partenaires : requêtes refusées',
      'Signaler un partenaire à partir de ce nombre de 403 en une heure.',
    ],
    token_warning_days: [
      'Jetons : jours avant l’expiration',
      'Signaler un jeton ce nombre de jours avant son expiration.',
    ],
    token_unused_days: ['Jetons : jours sans utilisation', 'Signaler un jeton inutilisé depuis ce nombre de jours.'],
    ending_soon_hours: [
      'Services : heures avant l’expiration',
      'Afficher un service dans la vue d’ensemble ce nombre d’heures avant son expiration.',
    ],
  },
)
