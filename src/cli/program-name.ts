import { basename } from 'node:path'

/** The command that runs Atrium: the installed command, or the launcher of a clone. */
export const programName = basename(process.argv[1] ?? '') === 'atrium' ? 'atrium' : 'node bin/atrium.mjs'
