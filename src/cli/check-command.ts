import { type Command, InvalidArgumentError } from 'commander'
import { examples, json, type Run } from './commands.ts'

function webAddress(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new InvalidArgumentError('It must be a URL such as https://atrium.example.')
}

export function addCheckCommand(program: Command, run: Run): void {
  program.commandsGroup('Integration:')
  addCheckOptions(program.command('check'), 'atrium check', run)
}

/** Adds the description and options of the conformance check to a command. The examples in its help call it `name`. */
export function addCheckOptions(command: Command, name: string, run: Run): Command {
  return command
    .description(
      'test an installation of the partner API against its specification (exit code 1 when a rule is broken)',
    )
    .requiredOption('--base-url <URL>', 'address of the installation, with or without /v1', webAddress)
    .requiredOption('--token <TOKEN>', "a partner's token; - reads it from standard input")
    .option('--facility <ID>', 'the facility to test with (default: that of the room, or the first)')
    .option('--room <ID>', 'a closed, empty room to open, close and add services to (default: no changes are made)')
    .option('--force', 'also use a --room that is open; this ends the stay of its guest')
    .option('--junit', 'print JUnit XML, for build servers')
    .option(...json)
    .addHelpText(
      'after',
      examples(`${name} --base-url https://atrium.example --token - --room annecy-01-B-203 < token.txt`),
    )
    .action((options) => run(async () => (await import('./check.ts')).runCheck(options)))
}
