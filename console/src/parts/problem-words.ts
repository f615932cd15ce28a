import { defineWords } from '../app/language.tsx'

/** Refusals that operators meet, by their codes; all others are shown as the API words them. */
export const problemWords = defineWords<Record<string, string>>(
  {
    text_forbidden: 'The file or text is not in UTF-8: save it in that encoding and choose it again',
    body_invalid: 'Not saved: some values need a correction',
    estate_conflict: 'Not saved: it does not fit the rest of the estate',
    facility_exists: 'A facility with this identifier exists already',
    partner_exists: 'A partner with this identifier exists already',
    operator_exists: 'Another operator has this e-mail address',
    area_exists: 'Some of these rooms exist already',
    range_invalid: 'This is not a range',
    body_too_large: 'This is too large to be sent',
    limit_exceeded: 'This is more than the installation allows',
    facility_not_found: 'There is no such facility',
    partner_not_found: 'There is no such partner',
    area_not_found: 'There is no such room',
    role_insufficient: 'Your role does not allow this',
    overloaded: 'Atrium is busy',
    path_changed: 'Nothing was sent: with this identifier the request would be about something else',
  },
  {
    text_forbidden:
      'Le fichier ou le texte n’est pas en UTF-8 : enregistrez-le dans ce codage et choisissez-le à nouveau',
    body_invalid: 'Non enregistré : certaines valeurs sont à corriger',
    estate_conflict: 'Non enregistré : en contradiction avec le reste du parc',
    facility_exists: 'Un établissement a déjà cet identifiant',
    partner_exists: 'Un partenaire a déjà cet identifiant',
    operator_exists: 'Un autre opérateur a cette adresse e-mail',
    area_exists: 'Certaines de ces chambres existent déjà',
    range_invalid: 'Ce n’est pas une plage',
    body_too_large: 'C’est trop volumineux pour être envoyé',
    limit_exceeded: 'C’est plus que l’installation ne permet',
    facility_not_found: 'Cet établissement n’existe pas',
    partner_not_found: 'Ce partenaire n’existe pas',
    area_not_found: 'Cette chambre n’existe pas',
    role_insufficient: 'Votre rôle ne le permet pas',
    overloaded: 'Atrium est très sollicité',
    path_changed: 'Rien n’a été envoyé : avec cet identifiant, la demande porterait sur autre chose',
  },
)

/** The field that a refusal without a pointer is about. */
export const fieldOfCode: Record<string, string> = {
  facility_exists: '/id_external',
  partner_exists: '/id',
  operator_exists: '/email',
  area_exists: '/range',
  range_invalid: '/range',
}
