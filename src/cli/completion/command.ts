import { Argument, type Command } from 'commander'
import { examples, type Run } from '../commands.ts'
import { remoteCommands } from '../remote/options.ts'
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

const remotePaths = remoteCommands.map((command) => `/${command.replace(' ', '/')}`)

/** Returns the program and all its commands, as a flat list. Commands that can work on a server also take its options. */
function treeOf(program: Command): CommandWords[] {
  const tree = wordsOf(program, '')
  const ofServer = tree[0]?.options.filter(({ word }) => word === '--server' || word === '--key') ?? []
  const isRemote = (path: string) => remotePaths.some((one) => path === one || path.startsWith(`${one}/`))
  return tree.map((words) => (isRemote(words.path) ? { ...words, options: [...words.options, ...ofServer] } : words))
}

function wordsOf(command: Command, path: string): CommandWords[] {
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
  return [words, ...command.commands.flatMap((one) => wordsOf(one, `${path}/${one.name()}`))]
}
