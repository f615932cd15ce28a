import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '../../test/torture/tool.ts'
import { deploy, root, textOf } from './files.ts'

/** Maximum exposure level of `systemd-analyze security`, from 0 (safe) to 10. */
const maxExposure = 1.5

export function checkUnit(): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-place-'))
  const unit = join(folder, 'atrium.service')
  // systemd-analyze verify also checks that the programs exist, which they do in this checkout.
  writeFileSync(unit, textOf('deploy/atrium.service').replaceAll('/opt/atrium', root))
  mkdirSync(`${unit}.d`)
  writeFileSync(join(`${unit}.d`, 'secrets.conf'), textOf('deploy/atrium-secrets.conf'))
  const analyze = tool('systemd-analyze', 'systemd')
  const faults = [
    ...run(analyze, 'verify', unit),
    ...run(analyze, 'security', '--offline=yes', '--no-pager', `--threshold=${maxExposure * 10}`, unit),
  ]
  rmSync(folder, { recursive: true })
  return faults
}

/** Host names that exist only among the containers cause warnings, which are accepted. */
export function checkBalancer(): string[] {
  return run(tool('haproxy'), '-c', '-q', '-f', join(deploy, 'haproxy.cfg'))
}

export function checkAlerts(): string[] {
  return run(tool('promtool', 'prometheus'), 'check', 'rules', join(deploy, 'prometheus/alerts.yaml'))
}

function run(program: string, ...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return status === 0 ? [] : `${stderr}${stdout}`.trim().split('\n')
}
