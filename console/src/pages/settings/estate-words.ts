import { defineWords } from '../../app/define-words.ts'

export const estateWords = defineWords(
  {
    export: 'Export',
    exportHelp: 'Facilities with their rooms and lists, partners with their permissions. No tokens and no guest data.',
    download: (format: string) => `Download as ${format}`,
    import: 'Import',
    importHelp: 'Choose an estate file in YAML or JSON. You see what would change before anything is applied.',
    choose: 'Choose a file',
    prune: 'Also remove what is not in the file',
    pruneHelp: 'Facilities, rooms and partners missing from the file are deleted, with their open rooms and services.',
    preview: 'What would change',
    change: 'Change',
    values: 'Details',
    lost: (items: string) => `With ${items}.`,
    losses: {
      area: (count: number) => (count === 1 ? '1 room' : `${count} rooms`),
      'open room': (count: number) => (count === 1 ? '1 open room' : `${count} open rooms`),
      subscription: (count: number) => (count === 1 ? '1 service' : `${count} services`),
      token: (count: number) => (count === 1 ? '1 token' : `${count} tokens`),
      sandbox: () => 'its sandbox',
    } as Record<string, (count: number) => string>,
    actions: { create: 'new', update: 'changed', remove: 'removed' },
    kinds: { facility: 'facility', area: 'room', partner: 'partner' },
    summary: (count: number, shown: number) =>
      `${count} ${count === 1 ? 'change' : 'changes'}${count > shown ? `, the first ${shown} shown` : ''}`,
    nothing: 'Nothing to change: everything already matches the file.',
    apply: (count: number) => `Apply ${count} ${count === 1 ? 'change' : 'changes'}`,
    applied: 'Imported',
    looking: 'Checking the file',
    applying: 'Applying changes',
  },
  {
    export: 'Exporter',
    exportHelp:
      'Les établissements avec leurs chambres et listes, les partenaires avec leurs autorisations. Ni jetons ni données de clients.',
    download: (format: string) => `Télécharger en ${format}`,
    import: 'Importer',
    importHelp:
      'Choisissez un fichier qui décrit votre parc d’établissements, en YAML ou en JSON. Vous voyez ce qui changerait avant toute modification.',
    choose: 'Choisir un fichier',
    prune: 'Supprimer aussi ce qui n’est pas dans le fichier',
    pruneHelp:
      'Les établissements, chambres et partenaires absents du fichier sont supprimés, avec leurs chambres ouvertes et leurs services.',
    preview: 'Ce qui changerait',
    change: 'Modification',
    values: 'Détails',
    lost: (items: string) => `Avec ${items}.`,
    losses: {
      area: (count: number) => (count < 2 ? '1 chambre' : `${count} chambres`),
      'open room': (count: number) => (count < 2 ? '1 chambre ouverte' : `${count} chambres ouvertes`),
      subscription: (count: number) => (count < 2 ? '1 service' : `${count} services`),
      token: (count: number) => (count < 2 ? '1 jeton' : `${count} jetons`),
      sandbox: () => 'son bac à sable',
    } as Record<string, (count: number) => string>,
    actions: { create: 'ajout', update: 'modification', remove: 'suppression' },
    kinds: { facility: 'établissement', area: 'chambre', partner: 'partenaire' },
    summary: (count: number, shown: number) =>
      `${count} ${count < 2 ? 'modification' : 'modifications'}${count > shown ? `, dont voici les ${shown} premières` : ''}`,
    nothing: 'Rien à modifier : tout correspond déjà au fichier.',
    apply: (count: number) => `Appliquer ${count} ${count < 2 ? 'modification' : 'modifications'}`,
    applied: 'Importé',
    looking: 'Vérification du fichier',
    applying: 'Application des modifications',
  },
)
