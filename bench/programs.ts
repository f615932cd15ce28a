import { execFileSync, spawnSync } from 'node:child_process'

/** Where a program of the system is; nothing when it is not installed. */
export function programPath(name: string): string | undefined {
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Only one at a time can use Debian's package manager; others who come this way wait for it. */
const lock = '/var/lock/atrium-apt'

/** Runs a script of Debian's package manager where we may; otherwise the advice is the error. */
export function installWithApt(script: string, advice: string): void {
  if (process.getuid?.() !== 0 || programPath('apt-get') === undefined) throw new Error(advice)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('flock', [lock, 'sh', '-c', `set -e\napt-get -qq update\n${script}`], { env, stdio: 'pipe' })
  } catch (cause) {
    throw new Error(advice, { cause })
  }
}
