import { type Command, InvalidArgumentError } from 'commander'
import { maxWorkers } from '../config/settings.ts'
import type { Config, Env } from '../config.ts'
import { refuseServer } from './remote/options.ts'
import { runVersion } from './version.ts'

/** Runs the action of a command, which returns an exit code, and makes that the exit code of the program. */
export type Run = (work: (env: Env) => number | Promise<number>) => Promise<void>

export type RunConfigured = (work: (config: Config) => number | Promise<number>) => Promise<void>

export interface Runners {
  run: Run
  /** Runs the action of a command that can also work on a running server. */
  runConfigured: RunConfigured
  /** Runs the action of a command that works only on the database, and fails if --server or ATRIUM_SERVER is set. */
  runLocal: RunConfigured
}

export const json = ['--json', 'print JSON, for scripts'] as const

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

function workers(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= maxWorkers) return count
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxWorkers}.`)
}

// Each command imports its module only when it runs, so that help and usage errors appear without delay.
export function addServiceCommands(program: Command, { run, runLocal }: Runners): void {
  program.commandsGroup('Service:')
  program
    .command('serve')
    .description('start the service; it prints "atrium ready on URL" when it is ready, and stops on Ctrl-C or SIGTERM')
    .option('--demo', 'fill an empty database with a demo estate, and print tokens and commands to try')
    .option('--workers <N>', 'number of worker processes, at best one per core (default: 1)', workers)
    .option(...json)
    .addHelpText('after', examples('atrium serve', 'ATRIUM_PORT=9000 atrium serve --workers 4', 'npm start'))
    .action((options) =>
      runLocal(async (config) => {
        const all = { ...config, workers: options.workers ?? config.workers }
        return (await import('./serve.ts')).runServe(all, options)
      }),
    )
  program
    .command('migrate')
    .description('create the database or update it to this version; serve and apply do so automatically')
    .option(...json)
    .addHelpText('after', examples('atrium migrate'))
    .action((options) => runLocal(async (config) => (await import('./migrate.ts')).runMigrate(config, options)))
  program
    .command('doctor')
    .description('check settings, database, clock, disk and port, and print what to fix (exit code 1)')
    .option(...json)
    .addHelpText('after', examples('atrium doctor', 'atrium doctor --json'))
    .action((options) =>
      run(async (env) => {
        refuseServer(env)
        return (await import('./doctor.ts')).runDoctor(env, options)
      }),
    )
  program
    .command('version')
    .description('print the version')
    .option(...json)
    .action((options) => run(() => runVersion(options)))
  program.helpCommand('help [command]', 'show the help of a command')
}

export function addEstateCommands(program: Command, run: RunConfigured): void {
  program.commandsGroup('Estate:')
  program
    .command('apply')
    .argument('FILE', 'an estate file, YAML or JSON; - reads standard input')
    .description('change the estate to what a file describes, in one transaction')
    .option('--dry-run', 'print the differences without changing anything')
    .option('--prune', 'also remove what the file does not contain')
    .option(...json)
    .addHelpText('after', examples('atrium apply estate.yaml --dry-run', 'atrium apply estate.yaml'))
    .action((file, options) =>
      run(async (config) => {
        const { runApply } = await import('./estate/apply.ts')
        const { dryRun = false, prune = false, json = false } = options
        return runApply(config, file, { dryRun, prune, json })
      }),
    )
  program
    .command('export')
    .description('write the estate to a file that apply can read; subscriptions and open rooms are not included')
    .option('--output <FILE>', 'write to this file instead of standard output')
    .option(...json)
    .addHelpText('after', examples('atrium export > estate.yaml', 'atrium export --json --output estate.json'))
    .action(({ output, json = false }) =>
      run(async (config) => {
        const { runExport } = await import('./estate/export.ts')
        return runExport(config, { json, ...(output && { output }) })
      }),
    )
}

const backupExample = 'atrium backup atrium.gz --server https://atrium.example.com --key - < key.txt'

export function addBackupCommands(program: Command, { runConfigured: run, runLocal }: Runners): void {
  program.commandsGroup('Backup:')
  program
    .command('backup')
    .argument('FILE', 'the file to write; it appears once it is complete')
    .description('write a consistent snapshot of the whole database to a file, while the service runs')
    .option('--force', 'replace an existing file')
    .option(...json)
    .addHelpText('after', examples('atrium backup /backups/atrium-2027-01-31.gz', backupExample))
    .action((file, { force = false, json = false }) =>
      run(async (config) => (await import('./estate/backup.ts')).runBackup(config, file, { force, json })),
    )
  program
    .command('restore')
    .argument('FILE', 'a file written by `atrium backup`, from either database engine')
    .description('load a backup into an empty database, all or nothing')
    .option('--replace', 'first delete everything in the database, after a confirmation')
    .option('--yes', 'with --replace: skip the confirmation, which needs a terminal')
    .option(...json)
    .addHelpText('after', examples('atrium restore /backups/atrium-2027-01-31.gz'))
    .action((file, { replace = false, yes = false, json = false }) =>
      runLocal(async (config) =>
        (await import('./estate/restore.ts')).runRestore(config, file, { replace, yes, json }),
      ),
    )
}

export function addPartnerCommands(program: Command, run: RunConfigured): void {
  program.commandsGroup('Access:')
  const partner = program.command('partner').description('show partners; `apply` changes them').helpCommand(false)
  partner
    .command('list')
    .description('list the partners with the number of their grants and active tokens')
    .option(...json)
    .addHelpText('after', examples('atrium partner list', 'atrium partner list --json'))
    .action((options) => run(async (config) => (await import('./access/partner.ts')).runPartnerList(config, options)))
  partner
    .command('show')
    .argument('ID', 'the id of a partner')
    .description("show a partner's grants and tokens")
    .option(...json)
    .addHelpText('after', examples('atrium partner show acme-pms'))
    .action((id, options) =>
      run(async (config) => (await import('./access/partner.ts')).runPartnerShow(config, id, options)),
    )
}

export const expiryHelp =
  'a duration such as 90d or 12h (s, m, h, d, w), a date such as 2027-01-01 (its start in UTC), or never'

export function addTokenCommands(program: Command, run: RunConfigured): void {
  const token = program.command('token').description('manage the tokens of partners').helpCommand(false)
  addTokenMakers(token, run)
  addTokenImport(token, run)
  token
    .command('list')
    .argument('[PARTNER]', 'only tokens of this partner')
    .description('list tokens; times are in UTC, the last use to the minute')
    .option(...json)
    .addHelpText('after', examples('atrium token list', 'atrium token list acme-pms --json'))
    .action((partner, options) =>
      run(async (config) => (await import('./access/token.ts')).runTokenList(config, partner, options)),
    )
  token
    .command('revoke')
    .argument('ID', 'the id of a token, as `atrium token list` shows it')
    .description('revoke a token; a running server refuses it from its next request on')
    .option(...json)
    .addHelpText('after', examples('atrium token revoke 4fT0aZ9q'))
    .action((id, options) =>
      run(async (config) => (await import('./access/token.ts')).runTokenRevoke(config, id, options)),
    )
}

function addTokenMakers(token: Command, run: RunConfigured): void {
  token
    .command('create')
    .argument('PARTNER', 'the id of a partner')
    .description('create a token for a partner and print it, only once')
    .requiredOption('--name <NAME>', 'purpose of the token, such as "ci" or "production"')
    .option('--expires <WHEN>', expiryHelp, 'never')
    .option('--allow <CIDR,CIDR>', 'accept it only from these addresses (default: from all)')
    .option(...json)
    .addHelpText(
      'after',
      examples(
        'atrium token create acme-pms --name ci --expires 90d',
        'atrium token create acme-pms --name till --allow 10.0.0.0/8,2001:db8::/32',
      ),
    )
    .action((partner, options) =>
      run(async (config) => (await import('./access/token.ts')).runTokenCreate(config, partner, options)),
    )
  token
    .command('rotate')
    .argument('ID', 'the id of the token to replace, as `atrium token list` shows it')
    .description('create a new token with the same partner, name and addresses; the old one still works for a while')
    .option('--grace <TIME>', 'how long the old token still works; 0 revokes it at once', '7d')
    .option('--expires <WHEN>', `${expiryHelp} (default: the same lifetime as the old one)`)
    .option(...json)
    .addHelpText('after', examples('atrium token rotate 4fT0aZ9q --grace 2d --expires 90d'))
    .action((id, options) =>
      run(async (config) => (await import('./access/token.ts')).runTokenRotate(config, id, options)),
    )
}

function addTokenImport(token: Command, run: RunConfigured): void {
  token
    .command('import')
    .argument('PARTNER', 'the id of a partner')
    .description('keep a token that was issued elsewhere working, by the SHA-256 of its secret')
    .requiredOption('--name <NAME>', 'purpose of the token, such as "ci" or "production"')
    .requiredOption('--sha256-stdin', 'read the SHA-256 from standard input, such as `sha256sum` prints it')
    .option('--rotate-by <WHEN>', 'by when it should be replaced: a duration such as 90d, or a date', '90d')
    .option('--expires <WHEN>', expiryHelp, 'never')
    .option('--allow <CIDR,CIDR>', 'accept it only from these addresses (default: from all)')
    .option(...json)
    .addHelpText(
      'after',
      examples('printf %s "$TOKEN" | sha256sum | atrium token import acme-pms --name tills --sha256-stdin'),
    )
    .action((partner, options) =>
      run(async (config) => (await import('./access/token-import.ts')).runTokenImport(config, partner, options)),
    )
}
