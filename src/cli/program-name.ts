import { basename } from 'node:path'

/**
 * The command that starts Atrium, as help and messages show it: the installed command, or the launcher in a clone of
 * the repository.
 */
export const programName = basename(process.argv[1] ?? '') === 'atrium' ? 'atrium' : 'node bin/atrium.mjs'
