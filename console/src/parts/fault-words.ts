/** What the API, which speaks English only, says of a value, and the same in French. */
const french: [fault: RegExp, words: string][] = [
  [
    /^must be 1 to (\d+) of (.+), the first and last a letter or digit$/,
    'doit avoir de 1 à $1 caractères parmi $2, le premier et le dernier étant une lettre ou un chiffre',
  ],
  [/^must not begin with "(.+)", which sandboxes do$/, 'ne doit pas commencer par « $1 », réservé aux bacs à sable'],
  [/^(?:The \w+ )?must be (\d+) to (\d+) characters\.?$/, 'doit avoir de $1 à $2 caractères'],
  [/^must be a string of (\d+) to (\d+) characters$/, 'doit avoir de $1 à $2 caractères'],
  [/^The SSID must be 1 to 32 bytes.*$/, 'doit occuper de 1 à 32 octets ; une lettre accentuée en prend deux'],
  [/^(?:The \w+ )?must have at most ([\d,]+) characters\.?$/, 'doit avoir au plus $1 caractères'],
  [/^must have at least (\d+) characters; .*$/, 'doit avoir au moins $1 caractères ; une courte phrase convient'],
  [/^must not repeat the same few characters$/, 'ne doit pas répéter les mêmes caractères'],
  [/^(?:The \w+ )?must not contain control characters\.?$/, 'ne doit pas contenir de caractères de contrôle'],
  [/^must not contain "\/"$/, 'ne doit pas contenir « / »'],
  [/^must not begin or end with white space$/, 'ne doit ni commencer ni finir par un espace'],
  [/^must be in Unicode NFC$/, 'doit être écrit en Unicode NFC'],
  [
    /^must be a lower-case word: .*$/,
    'doit être un mot en minuscules : une lettre, puis au plus 31 lettres, chiffres ou _',
  ],
  [/^must be an IANA time zone such as (.+)$/, 'doit être un fuseau horaire tel que $1'],
  [/^must be the two capital letters of ISO 3166-1, such as (.+)$/, 'doit être un code de deux majuscules tel que $1'],
  [/^The URL must not contain a user name or a password\.$/, 'ne doit contenir ni nom d’utilisateur ni mot de passe'],
  [/^The URL must be valid, .*$/, 'doit être une adresse complète qui commence par http:// ou https://'],
  [/^"(.+)" is repeated$/, '« $1 » y est deux fois'],
  [/^can hold at most (\d+) items; this has (\d+)$/, 'peut avoir au plus $1 entrées ; il y en a $2'],
  [/^must be like "(.+)", or "off"$/, 'doit être de la forme « $1 », ou « off »'],
  [/^must be a JSON Schema, .*$/, 'doit être un JSON Schema'],
  [/^is not a usable JSON Schema: (.+)$/, 'n’est pas un JSON Schema utilisable : $1'],
  [/^partner .+: a grant names facility (\S+), which is not known$/, 'aucun établissement n’a l’identifiant $1'],
  [/^must be a whole number from (\d+) to (\d+)$/, 'doit être un nombre entier de $1 à $2'],
  [/^must be an e-mail address such as (.+)$/, 'doit être une adresse e-mail telle que $1'],
  [/^must be a date-time to come, .*$/, 'doit être une date à venir'],
  [/^must be an address range such as (.+) or (.+)$/, 'doit être une plage d’adresses telle que $1 ou $2'],
  [/^must be one of (.+)$/, 'doit être parmi $1'],
  [/^must name 1 to (\d+) facilities, each of them once$/, 'doit nommer de 1 à $1 établissements, chacun une fois'],
  [/^needs the key "(.+)"$/, 'doit avoir « $1 »'],
  [
    /^the row has (\d+) fields and the first line names (\d+); .*$/,
    'la ligne a $1 champs et la première en nomme $2 ; mettez entre guillemets un champ qui contient le séparateur',
  ],
  [/^must be text.*$/, 'doit être du texte'],
  [
    /^Nothing was added: (.+) and (\d+) more are there already\.$/,
    'Rien n’a été ajouté : $1 et $2 autres existent déjà.',
  ],
  [/^Nothing was added: (.+) (?:is|are) there already\.$/, 'Rien n’a été ajouté : $1 existe déjà.'],
  [
    /^A range is written like (\S+) or (\S+), with at most (\d+) ids\.$/,
    'Une plage s’écrit $1 ou $2, avec au plus $3 ids.',
  ],
]

const english: typeof french = [
  [/^The \w+ (must .+)\.$/, '$1'],
  [/^partner .+: a grant names facility (\S+), which is not known$/, 'no facility has the identifier $1'],
]

/** What is wrong with a value, in the language of the operator; in English where there is no other. */
export function faultIn(language: 'en' | 'fr', detail: string): string {
  const [fault, words = ''] = (language === 'fr' ? french : english).find(([form]) => form.test(detail)) ?? []
  return fault === undefined ? detail : detail.replace(fault, words)
}
