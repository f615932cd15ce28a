import { type Browser, chromium } from 'playwright-core'
import { installWithApt, programPath } from '../../bench/programs.ts'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const debianPackage = 'chromium-headless-shell'

/** Starts a browser with a new profile; installs Debian's first if there is none and the user may. */
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
  return names.map(programPath).find((path) => path !== undefined)
}

function install(): string {
  const advice = `no Chromium for the browser tests: install one, on Debian with apt-get install ${debianPackage}`
  installWithApt(`apt-get -qq install --no-install-recommends -y ${debianPackage}`, advice)
  const path = found()
  if (path === undefined) throw new Error(advice)
  return path
}
