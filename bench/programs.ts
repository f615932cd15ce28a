import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** Where a program of the system is; nothing when it is not installed. */
export function programPath(name: string): string | undefined {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Only one at a time can use Debian's package manager; others who come this way wait for it. */
const lock = '/var/lock/atrium-apt'
/** And those who do not come this way are waited for. */
const patient = 'apt-get -o DPkg::Lock::Timeout=300 -qq'

/** Runs a script of Debian's package manager where we may; otherwise the advice is the error. */
export function installWithApt(script: string, advice: string): void {
  if (process.getuid?.() !== 0 || programPath('apt-get') === undefined) throw new Error(advice)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    const whole = `set -e\napt-get -qq update\n${script}`.replaceAll('apt-get -qq', patient)
    execFileSync('flock', [lock, 'sh', '-c', whole], { env, stdio: 'pipe' })
  } catch (cause) {
    throw new Error(advice, { cause })
  }
}

// Debian would set up and start a cluster of its own otherwise.
const programsOnly = `apt-get -qq install --no-install-recommends -y postgresql-common
  sed -i 's/^#\\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
  apt-get -qq install --no-install-recommends -y postgresql`

/** Where a program is that comes with PostgreSQL. Where none is installed and we may, Debian's is installed first. */
export function postgresProgram(name: string): string {
  const advice = `no ${name}: install PostgreSQL, on Debian with apt-get install postgresql`
  if (foundOfPostgres(name) === undefined) installWithApt(programsOnly, advice)
  const path = foundOfPostgres(name)
  if (path === undefined) throw new Error(advice)
  return path
}

/** Debian keeps them beside the server of each version. */
function foundOfPostgres(name: string): string | undefined {
  const versionOf = (path: string) => Number(path.split('/')[4])
  const places = globSync(`/usr/lib/postgresql/*/bin/${name}`).sort((a, b) => versionOf(b) - versionOf(a))
  return places[0] ?? programPath(name)
}
