// The program `atrium check` in a file of its own, which each installation serves to partners at /downloads/check.mjs.
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
