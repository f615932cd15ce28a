import { styleText } from 'node:util'
import type { Env } from '../config.ts'
import type { Finding } from '../storage/engine.ts'
import { checkCertificate } from './doctor/certificate.ts'
import { checkDatabase } from './doctor/database.ts'
import { checkClock, checkFolders, checkNode } from './doctor/machine.ts'
import { checkPort } from './doctor/port.ts'
import { checkSettings } from './doctor/settings.ts'
import { columns, plural, print, printJson } from './output.ts'

export async function runDoctor(env: Env, options: { json?: boolean }): Promise<number> {
  const { config, findings: settings } = checkSettings(env)
  const findings = [
    ...settings,
    checkNode(),
    checkClock(),
    ...(await checkDatabase(config)),
    ...checkFolders(config),
    ...checkCertificate(config),
    await checkPort(config),
  ]
  const failed = findings.filter(({ ok }) => !ok).length
  if (options.json) printJson({ ok: failed === 0, findings: findings.map(findingView) })
  else printFindings(findings, failed)
  return failed === 0 ? 0 : 1
}

function findingView({ check, ok, detail, advice }: Finding) {
  return ok || advice === undefined ? { check, ok, detail } : { check, ok, detail, advice }
}

function printFindings(findings: Finding[], failed: number): void {
  const rows = findings.flatMap(({ check, ok, detail, advice }) => {
    const row = [ok ? 'ok' : 'attention', check, detail]
    return ok || advice === undefined ? [row] : [row, ['', '', `-> ${advice}`]]
  })
  const lines = columns(rows).split('\n')
  const colored = lines.map((line) =>
    line.replace(/^\w+/, (word) => styleText(word === 'ok' ? 'green' : ['bold', 'yellow'], word)),
  )
  print(colored.join('\n'))
  print(
    failed === 0
      ? '\nAll checks passed.'
      : `\n${plural(failed, 'check')} ${failed === 1 ? 'needs' : 'need'} attention: follow the advice after "->".`,
  )
}
