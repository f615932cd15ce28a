import { defineWords } from '../../app/language.tsx'

export const estateWords = defineWords(
  {
    export: 'Export',
    exportHelp: 'Facilities with their rooms and lists, partners with their grants. No tokens, and nothing of guests.',
    download: (format: string) => `Download as ${format}`,
    import: 'Import',
    importHelp:
      'Choose an estate file, YAML or JSON. You first see what would change; nothing is changed before you apply it.',
    choose: 'Choose a file',
    prune: 'Also remove what the file does not name',
    pruneHelp: 'Facilities, rooms and partners that are not in its lists go, with the open rooms and services in them.',
    preview: 'What would change',
    change: 'Change',
    kind: 'Kind',
    what: 'What',
    actions: { create: 'new', update: 'changed', remove: 'removed' },
    kinds: { facility: 'facility', area: 'room', partner: 'partner' },
    summary: (count: number, shown: number) =>
      count > shown ? `${count} changes, of which these are the first ${shown}` : `${count} changes`,
    nothing: 'The estate is as the file says: there is nothing to change.',
    apply: (count: number) => `Apply ${count} changes`,
    applied: 'Imported',
    looking: 'Looking at the file',
    applying: 'Applying the file',
  },
  {
    export: 'Exporter',
    exportHelp:
      'Les établissements avec leurs chambres et listes, les partenaires avec leurs droits. Ni jetons, ni rien des clients.',
    download: (format: string) => `Télécharger en ${format}`,
    import: 'Importer',
    importHelp:
      'Choisissez un fichier de parc, YAML ou JSON. Vous voyez d’abord ce qui changerait ; rien ne change avant votre accord.',
    choose: 'Choisir un fichier',
    prune: 'Supprimer aussi ce que le fichier ne nomme pas',
    pruneHelp:
      'Les établissements, chambres et partenaires absents de ses listes disparaissent, avec les chambres ouvertes et leurs services.',
    preview: 'Ce qui changerait',
    change: 'Changement',
    kind: 'Nature',
    what: 'Quoi',
    actions: { create: 'nouveau', update: 'modifié', remove: 'supprimé' },
    kinds: { facility: 'établissement', area: 'chambre', partner: 'partenaire' },
    summary: (count: number, shown: number) =>
      count > shown ? `${count} changements, dont voici les ${shown} premiers` : `${count} changements`,
    nothing: 'Le parc est déjà conforme au fichier : il n’y a rien à changer.',
    apply: (count: number) => `Appliquer ${count} changements`,
    applied: 'Importé',
    looking: 'Lecture du fichier',
    applying: 'Application du fichier',
  },
)
