import type { Command } from 'commander'
import { examples, json, type Run, type RunConfigured, type Runners } from '../commands.ts'
import { addRemoteFlags, decimal, installation, standardInputOnly, timezone } from './options.ts'

const tokensHelp = 'always -: tokens of partners are read from standard input, one per line'

export function addTakeOverCommands(program: Command, { run, runConfigured, runLocal }: Runners): void {
  program.commandsGroup('Take-over:')
  addRemoteFlags(
    program
      .command('pull')
      .description('read the estate of another installation of the partner API, into a file that apply can read')
      .requiredOption('--base-url <URL>', 'address of the other installation, with or without /v1', installation)
      .requiredOption('--token <TOKEN>', tokensHelp, standardInputOnly),
  )
    .option('--output <FILE>', 'write to this file instead of standard output')
    .option('--state <FILE>', 'what was read so far, to continue after an interruption', 'atrium-pull.state')
    .option('--timezone <ZONE>', 'time zone of all facilities, which /v1 does not show', timezone)
    .option('--guests <FILE>', 'also write a backup with open rooms and services, for `atrium restore`')
    .option('--partial', 'write the file even if some facilities could not be read (exit code 1)')
    .option('--json', 'write JSON instead of YAML')
    .addHelpText('after', examples('atrium pull --base-url https://old.example --token - < tokens.txt > estate.yaml'))
    .action((options) => runConfigured(async (config) => (await import('./pull.ts')).runPull(config, options)))
  addCompareCommand(program, run)
  addMirrorCommand(program, runLocal)
}

function addCompareCommand(program: Command, run: Run): void {
  addRemoteFlags(
    program
      .command('compare')
      .description('compare what two installations respond to the same partners (exit code 1 when they differ)')
      .requiredOption('--a <URL>', 'address of the first installation', installation)
      .requiredOption('--b <URL>', 'address of the second installation', installation)
      .option('--token <TOKEN>', 'always -: one line per partner, its token, or those for A and B', standardInputOnly),
  )
    .option('--rooms', 'read each room by itself too')
    .option('--timezone <ZONE>', 'time zone of dates without an offset, which differ without it', timezone)
    .option('--ignore <FIELDS...>', 'fields that may differ, such as those that Atrium does not have')
    .option('--strict', 'also count what partners need not mind: added fields, dates of changes, orders of lists')
    .option(...json)
    .addHelpText('after', examples('atrium compare --a https://old.example --b https://new.example < tokens.txt'))
    .action((options) => run(async () => (await import('./compare.ts')).runCompare(options)))
}

function addMirrorCommand(program: Command, run: RunConfigured): void {
  addRemoteFlags(
    program
      .command('mirror')
      .description('copy the estate, open rooms and services of another installation into this one, until Ctrl-C')
      .requiredOption('--from <URL>', 'address of the other installation, which is only read', installation)
      .requiredOption('--token <TOKEN>', tokensHelp, standardInputOnly),
  )
    .option('--interval <SECONDS>', 'pause between two rounds, or two polls of events', decimal(0.1, 86_400), 10)
    .option('--every <SECONDS>', 'with events: time between two whole rounds', decimal(1, 604_800), 3600)
    .option('--once', 'end after one round')
    .option('--timezone <ZONE>', 'time zone of all facilities; without it, those that are stored here', timezone)
    .option(...json)
    .addHelpText('after', examples('atrium mirror --from https://old.example --token - < tokens.txt'))
    .action((options) => run(async (config) => (await import('./mirror.ts')).runMirror(config, options)))
}
