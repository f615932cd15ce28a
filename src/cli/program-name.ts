import { basename } from 'node:path'

/**
 * How users start Atrium, for help and messages: the installed command, or the launcher in a clone of the repository.
 */
export const programName = basename(process.argv[1] ?? '') === 'atrium' ? 'atrium' : 'node bin/atrium.mjs'
