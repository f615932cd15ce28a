import { execFileSync, spawnSync } from 'node:child_process'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const debianPackage = 'chromium-headless-shell'

/** Starts a browser with a fresh profile. Where none is installed and we may, Debian's is installed first. */
export async function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: found() ?? install(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  })
}

function found(): string | undefined {
  for (const name of names) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return undefined
}

function install(): string {
  const advice = `no Chromium for the browser tests: install one, on Debian with apt-get install ${debianPackage}`
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) throw new Error(advice)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const get = (...args: string[]) => execFileSync('apt-get', ['-qq', ...args], { env, stdio: 'pipe' })
  try {
    get('update')
    get('install', '--no-install-recommends', '-y', debianPackage)
  } catch (error) {
    throw new Error(advice, { cause: error })
  }
  const path = found()
  if (path === undefined) throw new Error(advice)
  return path
}
