import { basename } from 'node:path'

/** What a user types to run Atrium: the installed command, or the launcher of a clone. */
export const programName = basename(process.argv[1] ?? '') === 'atrium' ? 'atrium' : 'node bin/atrium.mjs'
