import { defineWords } from '../app/define-words.ts'

/** Texts shared by many pages. */
export const common = defineWords(
  {
    save: 'Save',
    saved: 'Saved',
    cancel: 'Cancel',
    close: 'Close',
    remove: 'Remove',
    discard: 'Discard changes',
    search: 'Search',
    all: 'All',
    none: 'None',
    yes: 'Yes',
    no: 'No',
    never: 'never',
    copy: 'Copy',
    copied: 'Copied',
    loading: 'Loading…',
    progress: (done: string, of: string) => `${done} of ${of}`,
    noMatch: 'No matching entries',
    clearFilters: 'Clear filters',
    again: 'Try again',
    requestId: 'Request ID',
    shownOnce: 'You won’t see this again. Store it in your password manager.',
    unsavedTitle: 'Leave without saving?',
    unsaved: 'Your changes on this page have not been saved.',
    stay: 'Stay',
    leave: 'Leave',
    draftFound: 'Your unsaved changes have been restored.',
    unreachableTitle: 'Atrium cannot be reached',
    unreachable: 'Check your network connection, or try again in a moment.',
    draftKept: 'Nothing is lost: your changes are kept in this browser. Save again once Atrium can be reached.',
    failed: 'Something went wrong',
    rows: (shown: number, total: number | undefined, hasMore: boolean) => {
      if (total !== undefined && total !== shown)
        return `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`
      return hasMore
        ? `newest ${shown.toLocaleString('en')} rows`
        : `${shown.toLocaleString('en')} ${shown === 1 ? 'row' : 'rows'}`
    },
    typeToConfirm: (text: string) => `Type ${text} to confirm`,
    name: 'Name',
    status: 'Status',
    type: 'Type',
    actions: 'Actions',
    created: 'Created',
    lastUsed: 'Last used',
    expires: 'Expires',
    labelled: (label: string, text: string) => `${label}: ${text}`,
  },
  {
    save: 'Enregistrer',
    saved: 'Enregistré',
    cancel: 'Annuler',
    close: 'Fermer',
    remove: 'Supprimer',
    discard: 'Abandonner les modifications',
    search: 'Rechercher',
    all: 'Tous',
    none: 'Aucun',
    yes: 'Oui',
    no: 'Non',
    never: 'jamais',
    copy: 'Copier',
    copied: 'Copié',
    loading: 'Chargement…',
    progress: (done: string, of: string) => `${done} sur ${of}`,
    noMatch: 'Aucune entrée ne correspond',
    clearFilters: 'Effacer les filtres',
    again: 'Réessayer',
    requestId: 'Identifiant de la requête',
    shownOnce: 'Il ne sera plus affiché. Copiez-le maintenant dans votre gestionnaire de mots de passe.',
    unsavedTitle: 'Quitter sans enregistrer ?',
    unsaved: 'Vos modifications sur cette page ne sont pas enregistrées.',
    stay: 'Rester',
    leave: 'Quitter',
    draftFound: 'Vos modifications non enregistrées ont été rétablies.',
    unreachableTitle: 'Atrium est injoignable',
    unreachable: 'Vérifiez votre connexion au réseau, ou réessayez dans un instant.',
    draftKept:
      'Rien n’est perdu : vos modifications sont conservées dans ce navigateur. Enregistrez à nouveau dès qu’Atrium répondra.',
    failed: 'Une erreur s’est produite',
    rows: (shown: number, total: number | undefined, hasMore: boolean) => {
      if (total !== undefined && total !== shown)
        return `${shown.toLocaleString('fr')} sur ${total.toLocaleString('fr')}`
      return hasMore
        ? `les ${shown.toLocaleString('fr')} lignes les plus récentes`
        : `${shown.toLocaleString('fr')} ${shown < 2 ? 'ligne' : 'lignes'}`
    },
    typeToConfirm: (text: string) => `Saisissez ${text} pour confirmer`,
    name: 'Nom',
    status: 'État',
    type: 'Type',
    actions: 'Actions',
    created: 'Création',
    lastUsed: 'Dernière utilisation',
    expires: 'Expiration',
    labelled: (label: string, text: string) => `${label} : ${text}`,
  },
)
