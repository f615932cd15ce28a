// npm test: style, types, and every test on both engines. With --only: just the tests, or just the named ones. npm run
// coverage: every test, with the coverage of the sources.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { consoleBuild } from '../tools/console.ts'
import { downloadsBuild } from '../tools/downloads.ts'
import { programBuild } from '../tools/program.ts'
import { buildStale } from '../tools/stale.ts'
import { viewerBuild } from '../tools/viewer.ts'
import { withoutPostgresSettings } from './harness/postgres-program.ts'
import { testServer } from './harness/postgres-server.ts'
import { noEnvFile } from './harness/unlimited.ts'
import { everyTestInOrder } from './order.ts'

const checks = [
  ['Style', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  ['Types', 'node_modules/typescript/bin/tsc', '--noEmit'],
  ['Types', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'console'],
  ['Types', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'client'],
] as const
const runner = 'test/in-order.ts'
const graceSeconds = 5

const root = join(import.meta.dirname, '..')
const measured = process.argv.includes('--coverage')
const chosen = process.argv.slice(2).filter((argument) => !['--only', '--coverage'].includes(argument))
const whole = process.argv.length === 2

let interruption: NodeJS.Signals | undefined
let tests: ChildProcess | undefined

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt(signal))
if (process.env.npm_lifecycle_event) stopWithParent()

const begun = testsPass().catch(explain)
const failed = whole ? await failedChecks() : []
if (!(await begun)) failed.push('tests')

if (interruption) {
  console.log(`\nInterrupted by ${interruption}`)
  process.exit(128 + constants.signals[interruption])
}
console.log(failed.length > 0 ? `\nFailed: ${failed.join(', ')}` : '\nAll passed')
process.exit(failed.length > 0 ? 1 : 0)

/** Runs style and type checks while the first tests run. Returns those that failed. */
async function failedChecks(): Promise<string[]> {
  const failed: string[] = []
  for (const [title, script, ...args] of checks) {
    if (!interruption && !(await passes(title, script, ...args))) failed.push(title.toLowerCase())
  }
  return failed
}

async function passes(title: string, script: string, ...args: string[]): Promise<boolean> {
  const printed: Buffer[] = []
  const child = spawn(process.execPath, [script, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => printed.push(piece))
  const [code] = await once(child, 'close')
  heading(title, [script.replace(/.*\//, ''), ...args].join(' '))
  console.log(code === 0 ? 'ok' : Buffer.concat(printed).toString())
  return code === 0
}

async function testsPass(): Promise<boolean> {
  const needsConsole = chosen.length === 0 || chosen.some((name) => name.startsWith('test/browser'))
  await buildStale(...(needsConsole ? [consoleBuild] : []), programBuild, viewerBuild, downloadsBuild)
  const scratch = mkdtempSync(join(tmpdir(), 'atrium-test-'))
  // Servers that tests start as another user must be able to enter the folder.
  chmodSync(scratch, 0o711)
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
  const begin = performance.now()
  const postgres = await testServer()
  heading('PostgreSQL', `ready in ${Math.round(performance.now() - begin)} ms`)
  try {
    Object.assign(process.env, { ATRIUM_TEST_POSTGRES: postgres.url, TMPDIR: scratch })
    const { env, drop } = await originals()
    return !interruption && (await runTests(env, scratch).finally(drop))
  } finally {
    await postgres.stop()
  }
}

/**
 * Creates database templates. Tests also run without them, only slower, so an error here is left to the tests to
 * report.
 */
async function originals(): Promise<{ env: NodeJS.ProcessEnv; drop?(): Promise<void> }> {
  try {
    const { makeOriginals } = await import('./harness/originals.ts')
    return await makeOriginals()
  } catch (error) {
    console.error(`\nEvery test makes its own database: ${(error as Error).message}`)
    return { env: {} }
  }
}

function explain(error: Error): boolean {
  console.error(`\n${error.message}`)
  return false
}

async function runTests(ownEnv: NodeJS.ProcessEnv, scratch: string): Promise<boolean> {
  heading('Tests', chosen.join(' ') || 'all of them, those that take longest first')
  const flags = chosen.filter((argument) => argument.startsWith('-'))
  const names = chosen.filter((argument) => !argument.startsWith('-'))
  const files = names.length > 0 ? names.flatMap(filesOf) : everyTestInOrder(root, scratch)
  // The tests get a process group of their own, so that everything they started can be ended with them.
  tests = spawn(process.execPath, [runner, ...(measured ? ['--coverage'] : flags), ...files], {
    cwd: root,
    detached: process.platform !== 'win32',
    env: { ...testEnvironment(scratch), ...ownEnv },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.on('exit', () => endTests('SIGKILL'))
  const [code] = await once(tests, 'exit')
  endTests('SIGKILL')
  tests = undefined
  return code === 0
}

// Removes settings of the person who runs the tests, which must not change the results.
function testEnvironment(scratch: string): NodeJS.ProcessEnv {
  const env = Object.entries(withoutPostgresSettings(process.env)).filter(
    ([name]) => !/^(?:ATRIUM_(?!TEST_)|OTEL_)/.test(name),
  )
  // Shares compiled code between files, except when coverage is measured.
  const compiled = measured ? {} : { NODE_COMPILE_CACHE: join(scratch, 'compiled') }
  return { ...Object.fromEntries(env), ...noEnvFile, ...compiled }
}

function interrupt(signal: NodeJS.Signals): void {
  if (interruption) return
  interruption = signal
  endTests('SIGTERM')
  setTimeout(endTests, graceSeconds * 1000, 'SIGKILL').unref()
}

function endTests(signal: NodeJS.Signals): void {
  if (tests?.pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? tests.pid : -tests.pid, signal)
  } catch {
    // All processes of the group have ended.
  }
}

// npm passes SIGTERM to its shell only, which dies without passing it on.
function stopWithParent(): void {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && interrupt('SIGTERM'), 500).unref()
}

/** Returns the test files of a folder, those that match a pattern, or the named one. */
function filesOf(name: string): string[] {
  const isFolder = statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory()
  const files = globSync(isFolder ? join(name, '**/*.test.ts') : name, { cwd: root }).sort()
  if (files.length === 0) throw new Error(`there is no test ${name}`)
  return files
}

function heading(title: string, detail: string): void {
  console.log(`\n== ${title}: ${detail}`)
}
