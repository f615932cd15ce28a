import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** Returns the path of a system program; undefined when it is not installed. */
export function programPath(name: string): string | undefined {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Debian's package manager permits one user at a time; this lock serializes our own calls. */
const lock = '/var/lock/atrium-apt'
/** Waits for other users of the package manager. */
const patient = 'apt-get -o DPkg::Lock::Timeout=300 -qq'

/** Runs a script with Debian's package manager if permitted; otherwise throws the advice. */
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

// Keeps Debian from creating and starting a database cluster.
const programsOnly = `apt-get -qq install --no-install-recommends -y postgresql-common
  sed -i 's/^#\\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
  apt-get -qq install --no-install-recommends -y postgresql`

/** Returns the path of a PostgreSQL program, installing Debian's package first if needed and permitted. */
export function postgresProgram(name: string): string {
  const advice = `no ${name}: install PostgreSQL, on Debian with apt-get install postgresql`
  if (foundOfPostgres(name) === undefined) installWithApt(programsOnly, advice)
  const path = foundOfPostgres(name)
  if (path === undefined) throw new Error(advice)
  return path
}

/** Debian installs them in the folder of each server version. */
function foundOfPostgres(name: string): string | undefined {
  const versionOf = (path: string) => Number(path.split('/')[4])
  const places = globSync(`/usr/lib/postgresql/*/bin/${name}`).sort((a, b) => versionOf(b) - versionOf(a))
  return places[0] ?? programPath(name)
}
