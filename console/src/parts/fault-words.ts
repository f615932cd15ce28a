import { frenchSpacing, type Language } from '../app/define-words.ts'
import { labelOf } from '../changes/property-words.ts'
import { faultsInFrench } from './faults-in-french.ts'
import { refusalsInFrench } from './refusals-in-french.ts'

/** Rewords API texts in the console's terms; other English texts are shown unchanged. */
const english: [fault: RegExp, words: string][] = [
  [/^The \w+ (must .+)\.$/, '$1'],
  [/^partner .+: a grant names facility (\S+), which is not known$/, 'no facility has the ID $1'],
  [/^No grant of this partner covers this facility\.$/, 'No permission of this partner covers this facility.'],
  [/^This needs the grant "(.+)" on facility (.+)\.$/, 'This requires the permission “$1” on facility $2.'],
  [/^There is no (?:area|facility|partner) with this id\b.*$/, ''],
  [/^Nothing was changed: there is no area (.+) in this facility\.$/, 'Nothing was changed: there is no room $1.'],
  [/^There is no area (.+) in this facility\.$/, 'There is no room $1 in this facility.'],
  [/^Facility (.+) has no per-room services\.$/, 'Facility $1 has no services per room.'],
  [
    /^The receiver did not accept the ping: (.+)\. Nothing was changed\.$/,
    'Result of the ping: $1. Nothing was changed.',
  ],
  [/^The webhook is disabled\. Enable it instead\.$/, 'Enable it instead.'],
  [/^The e-mail address or the password is incorrect\.$/, 'The email address or the password is incorrect.'],
  [/^No operator has your e-mail address: .*$/, 'No operator has your email address: ask an administrator.'],
  [/^The provider has not verified your e-mail address\.$/, 'The provider has not verified your email address.'],
  [
    /^This link has been used or has expired\. .*$/,
    'This link has already been used or has expired. Ask for another one.',
  ],
  [/^This (token|key) is revoked, .*$/, 'A revoked $1 cannot be restored: create a new one.'],
  [/^The token is revoked, which cannot be undone\.$/, 'A revoked token cannot be restored.'],
  [/^This is the last administrator who can sign in: .*$/, 'Create another administrator first.'],
  [
    /^A grant of partner (.+) names facility (.+): .*$/,
    'A permission of partner $1 covers facility $2: remove it first.',
  ],
  [/^Restore the backup that was taken before\.$/, 'Restore the previous backup.'],
  [/^What was sent cannot be called back\.$/, 'What was sent cannot be recalled.'],
  [
    /^This entry does not say all that it changed: .*$/,
    'This entry is incomplete: it was written by an earlier version.',
  ],
  [/^must be an e-mail address such as (.+)$/, 'must be an email address such as $1'],
  [/^names nothing that has happened by now$/, 'Nothing has happened in this range yet.'],
  [/^must have the id of an event in "event", .*$/, 'Choose either events or times, and at least the first.'],
]

const french = [...faultsInFrench, ...refusalsInFrench]

/** Returns a fault or refusal in the language of the operator; in English if there is no translation. */
export function faultIn(language: Language, detail: string): string {
  return knownFault(language, detail) ?? withLabel(language, detail)
}

/** Replaces the API name of a changed property by its label: `"ssid_public" of lyon-01 has changed …`. */
function withLabel(language: Language, detail: string): string {
  return detail.replace(/^"(\w+)"(?= of )/, (_, key: string) => `"${labelOf(key, language)}"`)
}

/** Returns a translated or reworded fault or refusal. Returns undefined when there is none. */
export function knownFault(language: Language, given: string): string | undefined {
  const detail = withLabel(language, given)
  const [fault, words = ''] = (language === 'fr' ? french : english).find(([form]) => form.test(detail)) ?? []
  if (fault === undefined) return pingResult(language, detail) ?? withoutPlace(language, detail)
  const text = detail.replace(fault, words)
  return language === 'fr' ? frenchSpacing(withFrenchNumbers(text)) : text
}

/** Separates thousands by spaces, as in 2 048; the API writes 2,048, which is a decimal number in French. */
function withFrenchNumbers(text: string): string {
  return text.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '\u202f')
}

function pingResult(language: Language, detail: string): string | undefined {
  const [, result] = /^The receiver did not accept the ping: (.+)\. Nothing was changed\.$/.exec(detail) ?? []
  if (result === undefined || language === 'en') return undefined
  return frenchSpacing(`Résultat du ping : ${faultIn(language, result)}. Rien n’a été modifié.`)
}

/** Splits the location from a fault in a file, such as `facilities[0].name: must be …`. */
function withoutPlace(language: Language, detail: string): string | undefined {
  const [, place, rest = ''] = /^([\w."[\]-]+(?: \S+)?): (.+)$/s.exec(detail) ?? []
  const words = place === undefined ? undefined : knownFault(language, rest)
  if (words === undefined) return undefined
  return language === 'fr' ? frenchSpacing(`${place} : ${words}`) : `${place}: ${words}`
}
