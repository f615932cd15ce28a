import type { Command } from 'commander'
import { examples, expiryHelp, json, type RunConfigured } from '../commands.ts'

export function addOperatorCommands(program: Command, run: RunConfigured): void {
  const operator = program
    .command('operator')
    .description('manage who can sign in to the console, and keys for scripts')
    .helpCommand(false)
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
  addKeyCommands(operator, run)
}

function addKeyCommands(operator: Command, run: RunConfigured): void {
  const key = operator
    .command('key')
    .description('manage the keys with which scripts act for an operator')
    .helpCommand(false)
  key
    .command('create')
    .argument('EMAIL', 'the e-mail address of an operator, whose role the key has')
    .description('create a key for --server and /cms/v1, and print it, only once')
    .requiredOption('--name <NAME>', 'purpose of the key, such as "ci"')
    .option('--expires <WHEN>', expiryHelp, 'never')
    .option('--allow <CIDR,CIDR>', 'accept it only from these addresses (default: from all)')
    .option(...json)
    .addHelpText('after', examples('atrium operator key create ci@example.com --name deploy --expires 90d --json'))
    .action((email, options) =>
      run(async (config) => (await import('./operator-key.ts')).runKeyCreate(config, email, options)),
    )
  key
    .command('list')
    .argument('[EMAIL]', 'only keys of this operator')
    .description('list keys; times are in UTC, the last use to the minute')
    .option(...json)
    .addHelpText('after', examples('atrium operator key list', 'atrium operator key list ci@example.com --json'))
    .action((email, options) =>
      run(async (config) => (await import('./operator-key.ts')).runKeyList(config, email, options)),
    )
  key
    .command('revoke')
    .argument('ID', 'the id of a key, as `atrium operator key list` shows it')
    .description('revoke a key; a running server refuses it from its next request on')
    .option(...json)
    .addHelpText('after', examples('atrium operator key revoke 4fT0aZ9q'))
    .action((id, options) =>
      run(async (config) => (await import('./operator-key.ts')).runKeyRevoke(config, id, options)),
    )
}
