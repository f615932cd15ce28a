import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, temporaryFolder, writeJson } from './folder.ts'
import { type Demo, tryClient } from './try-client.ts'

const maxPackedBytes = 15_000_000
/** A native program begins with one of these: ELF, Mach-O in three forms, Windows. */
const nativeMarks = ['7f454c46', 'cffaedfe', 'feedfacf', 'cafebabe', '4d5a']

export interface Archives {
  server: string
  client: string
  clientName: string
  version: string
  root: string
}

/**
 * Installs the packages into empty folders outside the clone, as a user would, and uses them. Returns a line for each
 * fault.
 */
export async function tryPackages(archives: Archives): Promise<string[]> {
  using folder = temporaryFolder()
  const faults: string[] = []
  if (statSync(archives.server).size > maxPackedBytes) faults.push('the package of the service is larger than 15 MB')
  const command = install(folder.path, archives.server)
  const check = async (what: string, work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      faults.push(`${what}: ${(error as Error).message}`)
    }
  }
  await check('the installed files', () => checkInstalled(folder.path))
  await check('atrium version', () => {
    const printed = run(command, ['version'], folder.path)
    if (!printed.startsWith(`atrium ${archives.version} `)) throw new Error(`it prints "${printed.trim()}"`)
  })
  await check('atrium apply with a contract', () => applyContract(command, folder.path))
  await check('atrium serve --demo', () => served(command, folder.path, faults, archives))
  return faults
}

/** Returns the path of the command. */
function install(folder: string, archive: string): string {
  writeJson(join(folder, 'package.json'), { private: true })
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', archive], folder)
  return join(folder, 'node_modules/.bin/atrium')
}

/** Checks that nothing native was installed, and exactly the versions that are pinned. */
function checkInstalled(folder: string): void {
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true })
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name)
    const mark = readFileSync(path).subarray(0, 4).toString('hex')
    if (nativeMarks.some((native) => mark.startsWith(native))) throw new Error(`${path} is a native program`)
  }
  const pinned = files.find(({ name }) => name === 'npm-shrinkwrap.json')
  if (pinned === undefined) throw new Error('npm-shrinkwrap.json is missing')
  const { packages } = JSON.parse(readFileSync(join(pinned.parentPath, pinned.name), 'utf8'))
  const installed = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')).packages
  for (const [place, { version }] of Object.entries<{ version: string }>(packages).slice(1)) {
    const name = place.slice('node_modules/'.length)
    const found = Object.entries<{ version: string }>(installed).find(([path]) => path.endsWith(`node_modules/${name}`))
    if (found?.[1].version !== version) throw new Error(`${name} is ${found?.[1].version}, and ${version} is pinned`)
  }
}

/** A contract is compiled by a package that is installed beside the bundle. */
function applyContract(command: string, folder: string): void {
  const contract = { type: 'object', properties: { end: { format: 'date-time' } } }
  writeFileSync(
    join(folder, 'estate.json'),
    JSON.stringify({ partners: [{ id: 'p', name: 'P', contract, grants: [] }] }),
  )
  run(command, ['apply', 'estate.json'], folder, { ATRIUM_DATABASE: 'sqlite:./contract.db' })
}

async function served(command: string, folder: string, faults: string[], archives: Archives): Promise<void> {
  const child = spawn(command, ['serve', '--demo', '--json'], {
    cwd: folder,
    env: { ...process.env, ATRIUM_PORT: '0', ATRIUM_DATABASE: 'sqlite:./atrium.db', ATRIUM_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const { url, demo } = await readyLine(child)
    for (const [path, text] of pages) await checkPage(url, path, text).catch((error) => faults.push(error.message))
    await tryClient(archives, { url, demo }, faults)
  } finally {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill('SIGTERM')
    await ended
  }
}

async function readyLine(child: ChildProcess): Promise<{ url: string; demo: Demo }> {
  let printed = ''
  child.stderr?.on('data', (piece) => {
    printed += piece
  })
  for await (const piece of child.stdout ?? []) {
    printed += piece
    const line = printed.split('\n').find((one) => one.startsWith('{"ready":'))
    if (line !== undefined && printed.includes(`${line}\n`)) return JSON.parse(line)
  }
  throw new Error(`it ended: ${printed.trim()}`)
}

const pages: [path: string, contains: RegExp][] = [
  ['/healthz', /./],
  ['/console/', /<script type="module"/],
  ['/docs', /POST/],
  ['/docs/try', /viewer\.js/],
  ['/assets/viewer.js', /scalar/],
  ['/docs/guides', /Quick start/],
  ['/docs/guides/quick-start', /curl/],
  ['/openapi.json', /"openapi"/],
  ['/problems', /not_granted/],
  ['/downloads', /check\.mjs/],
  ['/downloads/check.mjs', /base-url/],
  ['/downloads/atrium-client.tgz', /./],
  ['/downloads/atrium.postman_collection.json', /http:\/\/127\.0\.0\.1:(?!8080)/],
  ['/llms.txt', /quick-start\.md/],
]

/** Also requests what the page itself loads. */
async function checkPage(url: string, path: string, contains: RegExp): Promise<void> {
  const response = await fetch(url + path)
  const text = await response.text()
  if (response.status !== 200 || !contains.test(text))
    throw new Error(`${path} responds ${response.status} without ${contains}`)
  for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/(?:assets|console)\/[^"]+\.\w+)"/g)) {
    const { status, body } = await fetch(url + file)
    await body?.cancel()
    if (status !== 200) throw new Error(`${path} needs ${file}, which responds ${status}`)
  }
}
