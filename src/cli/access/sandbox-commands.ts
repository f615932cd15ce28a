import type { Command } from 'commander'
import { examples, json, type RunConfigured } from '../commands.ts'

export function addSandboxCommands(program: Command, run: RunConfigured): void {
  const sandbox = program
    .command('sandbox')
    .description('manage the sandboxes of partners: copies of facilities for tests')
    .helpCommand(false)
  const one = (name: string, description: string) =>
    sandbox
      .command(name)
      .argument('PARTNER', 'the id of the partner who owns the sandbox')
      .description(description)
      .option(...json)
  one('create', 'create a sandbox with copies of facilities, without guest data; its tokens begin with atr_test_')
    .requiredOption('--facilities <ID,ID>', 'the facilities to copy; grants of the partner must cover them')
    .addHelpText('after', examples('atrium sandbox create acme-pms --facilities lyon-01,nice-02'))
    .action((partner, options) =>
      run(async (config) => (await import('./sandbox.ts')).runSandboxCreate(config, partner, options)),
    )
  one('show', 'show the facilities and the clock of a sandbox')
    .addHelpText('after', examples('atrium sandbox show acme-pms'))
    .action((partner, options) =>
      run(async (config) => (await import('./sandbox.ts')).runSandboxShow(config, partner, options)),
    )
  one('reset', 'restore the copied state, and set the clock to real time')
    .addHelpText('after', examples('atrium sandbox reset acme-pms'))
    .action((partner, options) =>
      run(async (config) => (await import('./sandbox.ts')).runSandboxReset(config, partner, options)),
    )
  one('clock', 'set or advance the clock of a sandbox; a reset sets it back to real time')
    .option('--advance <DURATION>', 'by this duration, such as PT2H or P1DT30M (ISO 8601)')
    .option('--now <TIME>', 'to this time, such as 2026-12-24T18:00:00Z')
    .addHelpText('after', examples('atrium sandbox clock acme-pms --advance PT2H'))
    .action((partner, options) =>
      run(async (config) => (await import('./sandbox.ts')).runSandboxClock(config, partner, options)),
    )
  one('remove', 'remove a sandbox with its facilities, webhooks and tokens')
    .addHelpText('after', examples('atrium sandbox remove acme-pms'))
    .action((partner, options) =>
      run(async (config) => (await import('./sandbox.ts')).runSandboxRemove(config, partner, options)),
    )
}
