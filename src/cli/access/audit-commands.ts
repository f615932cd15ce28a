import { type Command, InvalidArgumentError } from 'commander'
import { examples, json, type Runners } from '../commands.ts'

function sealHash(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw new InvalidArgumentError('It must be the 64 digits that `atrium audit verify` printed as head.')
}

function month(text: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) return text
  throw new InvalidArgumentError('It must be a month such as 2026-01.')
}

export function addAuditCommands(program: Command, runners: Runners): void {
  const { run, runConfigured, runLocal } = runners
  const audit = program
    .command('audit')
    .description('check that the audit log was not tampered with, export it, and remove old months')
    .helpCommand(false)
  audit
    .command('verify')
    .description(
      'check every entry against the chain of seals, and print what was changed, removed or added (exit code 1)',
    )
    .option('--head <HASH>', 'a head that was printed earlier: also check that the chain still contains it', sealHash)
    .option('--file <FILE>', 'check a file that was written by `atrium audit export`, without the database')
    .option(...json)
    .addHelpText('after', examples('atrium audit verify', 'atrium audit verify --file audit-2026-01.jsonl.gz'))
    .action(({ file, ...options }) =>
      file === undefined
        ? runConfigured(async (config) => (await import('./audit.ts')).runAuditVerify(config, options))
        : run(async () => (await import('./audit-export.ts')).runFileVerify(file, options)),
    )
  audit
    .command('seal')
    .description('seal the entries that are not sealed yet; a running server does so every few seconds')
    .option(...json)
    .addHelpText('after', examples('atrium audit seal && atrium audit verify'))
    .action((options) => runLocal(async (config) => (await import('./audit.ts')).runAuditSeal(config, options)))
  addRetentionCommands(audit, runners)
}

function addRetentionCommands(audit: Command, { runConfigured, runLocal }: Runners): void {
  audit
    .command('export')
    .argument('FILE', 'the file to write; it appears once it is complete')
    .description('write the sealed entries to a file that can be verified on its own; nothing is removed')
    .option('--until <MONTH>', 'the last month to write, such as 2026-01 (default: everything that is sealed)', month)
    .option('--force', 'replace an existing file')
    .option(...json)
    .addHelpText('after', examples('atrium audit export audit.jsonl.gz', 'atrium audit export old.gz --until 2026-01'))
    .action((file, options) =>
      runConfigured(async (config) => (await import('./audit-export.ts')).runAuditExport(config, file, options)),
    )
  audit
    .command('prune')
    .description('remove the months that ATRIUM_AUDIT_MONTHS does not keep; a running server does so every hour')
    .option(...json)
    .addHelpText('after', examples('ATRIUM_AUDIT_MONTHS=24 ATRIUM_AUDIT_EXPORT_FOLDER=/archive atrium audit prune'))
    .action((options) => runLocal(async (config) => (await import('./audit-export.ts')).runAuditPrune(config, options)))
}
