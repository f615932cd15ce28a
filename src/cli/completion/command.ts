import { Argument, type Command } from 'commander'
import { examples, type Run } from '../commands.ts'
import { type CommandWords, scripts } from './scripts.ts'

export function addCompletionCommand(program: Command, run: Run): void {
  program
    .command('completion')
    .addArgument(new Argument('SHELL', 'the shell that loads the script').choices(Object.keys(scripts)))
    .description('print a script with which a shell completes commands and options')
    .addHelpText('after', examples('source <(atrium completion bash)', 'atrium completion fish | source'))
    .action((shell: string) =>
      run(() => {
        process.stdout.write(scripts[shell]?.(treeOf(program)) ?? '')
        return 0
      }),
    )
}

/** Returns the command and all commands below it, as a flat list. */
function treeOf(command: Command, path = ''): CommandWords[] {
  const help = command.createHelp()
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const words = {
    path,
    commands: [
      ...help.visibleCommands(command).map((one) => ({ word: one.name(), description: one.description() })),
      ...choices.map((word) => ({ word, description: '' })),
    ],
    options: help.visibleOptions(command).map(({ long, description }) => ({ word: long ?? '', description })),
  }
  return [words, ...command.commands.flatMap((one) => treeOf(one, `${path}/${one.name()}`))]
}
