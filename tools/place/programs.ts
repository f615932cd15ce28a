import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tool } from '../../test/torture/tool.ts'
import { temporaryFolder } from '../release/folder.ts'
import { deploy, root, textOf } from './files.ts'

/** Maximum exposure level of `systemd-analyze security`, from 0 (safe) to 10. */
const maxExposure = 1.5

/** The units that an operator makes of deploy/atrium.service, with their drop-ins. */
const units = {
  'atrium.service': ['atrium-secrets.conf'],
  'atrium-mirror.service': ['atrium-secrets.conf', 'atrium-mirror.conf'],
}

export function checkUnits(): string[] {
  using folder = temporaryFolder()
  // systemd-analyze verify also checks that the programs exist, which they do in this checkout.
  const copy = (name: string, target: string) =>
    writeFileSync(target, textOf(`deploy/${name}`).replaceAll('/opt/atrium', root))
  const paths = Object.entries(units).map(([name, dropIns]) => {
    const unit = join(folder.path, name)
    copy('atrium.service', unit)
    mkdirSync(`${unit}.d`)
    for (const dropIn of dropIns) copy(dropIn, join(`${unit}.d`, dropIn))
    return unit
  })
  const analyze = tool('systemd-analyze', 'systemd')
  return [
    ...verify(analyze, paths),
    ...paths.flatMap((unit) =>
      run(analyze, 'security', '--offline=yes', '--no-pager', `--threshold=${maxExposure * 10}`, unit),
    ),
  ]
}

/** Returns errors, and warnings about these units, such as those about unknown keys, with which `verify` succeeds. */
function verify(analyze: string, units: string[]): string[] {
  const { status, stderr } = spawnSync(analyze, ['verify', ...units], { encoding: 'utf8' })
  const lines = stderr.trim().split('\n')
  return status === 0 ? lines.filter((line) => line.includes('atrium')) : lines
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
