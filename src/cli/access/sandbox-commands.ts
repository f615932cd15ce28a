import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { examples, json, type Run } from '../commands.ts'

export function addSandboxCommands(program: Command, run: Run): void {
  const sandbox = program
    .command('sandbox')
    .description('give partners copies of facilities to try things in')
    .helpCommand(false)
  const one = (name: string, description: string) =>
    sandbox
      .command(name)
      .argument('PARTNER', 'the id of the partner whose sandbox it is')
      .description(description)
      .option(...json)
  one('create', 'copy facilities, without anything of a guest; tokens for them begin with atr_test_')
    .requiredOption('--facilities <ID,ID>', 'which ones: facilities that grants of the partner cover')
    .addHelpText('after', examples('atrium sandbox create acme-pms --facilities lyon-01,nice-02'))
    .action((partner, options) =>
      run(async (env) => (await import('./sandbox.ts')).runSandboxCreate(readConfig(env), partner, options)),
    )
  one('show', 'show the facilities and the clock of a sandbox')
    .addHelpText('after', examples('atrium sandbox show acme-pms'))
    .action((partner, options) =>
      run(async (env) => (await import('./sandbox.ts')).runSandboxShow(readConfig(env), partner, options)),
    )
  one('reset', 'put a sandbox back to its start, and its clock to real time')
    .addHelpText('after', examples('atrium sandbox reset acme-pms'))
    .action((partner, options) =>
      run(async (env) => (await import('./sandbox.ts')).runSandboxReset(readConfig(env), partner, options)),
    )
  one('clock', 'set the clock of a sandbox or move it on; a reset puts it back')
    .option('--advance <DURATION>', 'how far, such as PT2H or P1DT30M (ISO 8601)')
    .option('--now <TIME>', 'to which time, such as 2026-12-24T18:00:00Z')
    .addHelpText('after', examples('atrium sandbox clock acme-pms --advance PT2H'))
    .action((partner, options) =>
      run(async (env) => (await import('./sandbox.ts')).runSandboxClock(readConfig(env), partner, options)),
    )
  one('remove', 'remove a sandbox with its facilities, webhooks and tokens')
    .addHelpText('after', examples('atrium sandbox remove acme-pms'))
    .action((partner, options) =>
      run(async (env) => (await import('./sandbox.ts')).runSandboxRemove(readConfig(env), partner, options)),
    )
}
