// The program that an installation serves at /downloads/check.mjs: `atrium check` alone, in one file.
import { Command } from 'commander'
import { addCheckOptions } from './check-command.ts'
import { report } from './failure.ts'

const program = addCheckOptions(new Command('check.mjs'), 'node check.mjs', async (work) => {
  process.exitCode = await work({})
})
program.exitOverride().configureOutput({ outputError: () => {} })
await program.parseAsync().catch((error) => {
  process.exitCode = report(error, false)
})
