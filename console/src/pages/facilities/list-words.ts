import { defineWords } from '../../app/define-words.ts'

export const listWords = defineWords(
  {
    intro: 'Rooms that installers can choose from. Drag to reorder, or use Alt and the arrow keys.',
    id: 'ID',
    name: 'Name',
    add: 'Add entry',
    fill: 'Fill from rooms',
    fillHelp: 'Adds missing rooms and updates names.',
    tooMany: (count: number, most: number) =>
      `With all rooms the list would have ${count.toLocaleString('en')} entries; it can hold ${most.toLocaleString('en')}.`,
    list: 'List',
    line: (at: number, field: string) => `Line ${at}, ${field}`,
    move: (name: string) => `Move ${name}`,
    differences: 'Differences between list and rooms',
    same: 'The list and the rooms agree.',
    onlyInList: 'Listed, but no such room',
    onlyInAreas: 'Not listed: installers cannot choose this room',
    renamed: 'Different name',
    emptyTitle: 'The list is empty',
    empty: 'Fill it from the rooms, or add entries one at a time.',
    remove: (name: string) => `Remove ${name}`,
  },
  {
    intro:
      'Chambres proposées aux installateurs. Faites-les glisser pour les réordonner, ou utilisez Alt et les flèches.',
    id: 'Identifiant',
    name: 'Nom',
    add: 'Ajouter une entrée',
    fill: 'Remplir depuis les chambres',
    fillHelp: 'Ajoute les chambres manquantes et met les noms à jour.',
    tooMany: (count: number, most: number) =>
      `Avec toutes les chambres, la liste aurait ${count.toLocaleString('fr')} entrées ; elle en contient au plus ${most.toLocaleString('fr')}.`,
    list: 'Liste',
    line: (at: number, field: string) => `Ligne ${at}, ${field}`,
    move: (name: string) => `Déplacer ${name}`,
    differences: 'Différences entre la liste et les chambres',
    same: 'La liste et les chambres concordent.',
    onlyInList: 'Dans la liste, mais cette chambre n’existe pas',
    onlyInAreas: 'Absente de la liste : les installateurs ne peuvent pas la choisir',
    renamed: 'Noms différents',
    emptyTitle: 'La liste est vide',
    empty: 'Remplissez-la depuis les chambres, ou ajoutez des entrées une à une.',
    remove: (name: string) => `Supprimer ${name}`,
  },
)
