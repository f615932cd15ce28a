import cluster from 'node:cluster'
import { Command, CommanderError } from 'commander'
import { withEnvFile } from '../config/env-file.ts'
import { settings } from '../config/settings.ts'
import { type Env, readConfig } from '../config.ts'
import { atriumVersion } from '../version.ts'
import { addAuditCommands } from './access/audit-commands.ts'
import { addOperatorCommands } from './access/operator-commands.ts'
import { addSandboxCommands } from './access/sandbox-commands.ts'
import { addCheckCommand } from './check-command.ts'
import {
  addBackupCommands,
  addEstateCommands,
  addPartnerCommands,
  addServiceCommands,
  addTokenCommands,
  type Run,
  type RunConfigured,
} from './commands.ts'
import { addCompletionCommand } from './completion/command.ts'
import { report } from './failure.ts'
import { columns } from './output.ts'
import { readLocalConfig, remoteCommands, withServerOptions } from './remote/options.ts'
import { addTakeOverCommands } from './takeover/commands.ts'

/** Runs one command line and returns its exit code: 0 success, 1 failure, 2 usage error. */
export async function runCli(args: string[], env: Env): Promise<number> {
  let exitCode = 0
  const program = emptyProgram()
  const run: Run = async (work) => {
    exitCode = await work(await withServerOptions(readEnv(env), program.opts()))
  }
  const runConfigured: RunConfigured = (work) => run((env) => work(readConfig(env)))
  const runLocal: RunConfigured = (work) => run((env) => work(readLocalConfig(env)))
  const runners = { run, runConfigured, runLocal }
  addServiceCommands(program, runners)
  addEstateCommands(program, runConfigured)
  addBackupCommands(program, runners)
  addPartnerCommands(program, runConfigured)
  addTokenCommands(program, runConfigured)
  addSandboxCommands(program, runConfigured)
  addOperatorCommands(program, runLocal)
  addAuditCommands(program, runners)
  addCheckCommand(program, run)
  addTakeOverCommands(program, runners)
  addCompletionCommand(program, run)
  everyCommand(program).forEach(pointToHelp)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return report(error, /^(debug|trace)$/.test(env.ATRIUM_LOG ?? ''))
  }
}

/** Only the primary process warns about ATRIUM_ENV_FILE, because each worker reads it again. */
function readEnv(given: Env): Env {
  const { env, warnings } = withEnvFile(given)
  if (cluster.isPrimary) for (const warning of warnings) process.stderr.write(`atrium: warning: ${warning}\n`)
  return env
}

function emptyProgram(): Command {
  return new Command('atrium')
    .description('Stores facilities, their rooms and services, and serves them to partners at /v1.')
    .version(`atrium ${atriumVersion()}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .option('--server <URL>', 'work on this running server instead of the database (ATRIUM_SERVER)')
    .option('--key <->', 'read the key of an operator for --server from standard input (ATRIUM_KEY)')
    .configureHelp({ helpWidth: 100, subcommandTerm: (command) => `${command.name()} ${argumentsOf(command)}`.trim() })
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', () => `\n${settingsHelp()}\n\n${afterword}`)
}

function settingsHelp(): string {
  const rows = settings.map((setting) => [setting.name, setting.default, setting.meaning])
  return `Settings (environment variables, or lines of .env, with their defaults):\n${columns(rows, '  ')}`
}

const afterword = `Commands work directly on the database, also while a server runs, and accept --json for scripts. With --server,
${remoteCommands.slice(0, -1).join(', ')} and ${remoteCommands.at(-1)} work on a running server.
Exit codes: 0 success, 1 failure (one line on standard error says what to do), 2 usage error.

Examples:
  atrium apply estate.yaml                                describe facilities, rooms and partners
  atrium token create acme-pms --name ci --expires 90d    give a partner access
  ATRIUM_PORT=9000 atrium serve                           start the service`

function argumentsOf(command: Command): string {
  if (command.commands.length > 0) return command.commands.map((one) => one.name()).join('|')
  return command.registeredArguments.map((one) => (one.required ? one.name() : `[${one.name()}]`)).join(' ')
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

function pointToHelp(command: Command): void {
  const path = (one: Command): string => (one.parent === null ? one.name() : `${path(one.parent)} ${one.name()}`)
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error
    const fault = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
    throw new CommanderError(2, error.code, `${fault} (\`${path(command)} --help\` shows how)`)
  })
}
