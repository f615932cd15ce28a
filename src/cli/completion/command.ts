import { Argument, type Command } from 'commander'
import { examples, type Run } from '../commands.ts'
import { scripts } from './scripts.ts'
import { treeOf } from './tree.ts'

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
