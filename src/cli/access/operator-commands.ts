import type { Command } from 'commander'
import { examples, json, type RunConfigured } from '../commands.ts'

export function addOperatorCommands(program: Command, run: RunConfigured): void {
  const operator = program.command('operator').description('manage who can sign in to the console').helpCommand(false)
  operator
    .command('create')
    .argument('EMAIL', 'the e-mail address to sign in with')
    .description('add an operator and print a link that signs them in once')
    .option('--name <NAME>', 'displayed name (default: the address)')
    .option('--role <ROLE>', 'admin (everything), editor (facilities, rooms, lists) or viewer (reads)', 'viewer')
    .option('--password-stdin', 'read a password from standard input instead of creating a link')
    .option(...json)
    .addHelpText('after', examples('atrium operator create ada@example.com --name "Ada Martin" --role admin'))
    .action((email, options) =>
      run(async (config) => (await import('./operator.ts')).runOperatorCreate(config, email, options)),
    )
  operator
    .command('list')
    .description('list the operators')
    .option(...json)
    .addHelpText('after', examples('atrium operator list'))
    .action((options) => run(async (config) => (await import('./operator.ts')).runOperatorList(config, options)))
}
