// npm run build: writes assets/downloads/, which installations serve at /downloads: the client package, the program
// that tests an installation, and the examples. With --if-stale only if the sources have changed since the last time.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { tarGz } from '../src/http/site/tar.ts'
import { packClient } from './release/client.ts'
import { temporaryFolder } from './release/folder.ts'
import { readProject } from './release/names.ts'
import { withoutOuterLinks } from './release/readme.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'assets/downloads')
const mark = join(target, 'sources.sha256')
const examples = 'examples/{README.md,*/*.*}'

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await makeDownloadsWhenStale()
  else await makeDownloads()
}

/** A production install has no build tools and serves what is there. */
export async function makeDownloadsWhenStale(): Promise<void> {
  if (lastBuilt() === sourcesHash()) return
  await makeDownloads().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  })
}

/** Replaces each file atomically. */
async function makeDownloads(): Promise<void> {
  using folder = temporaryFolder()
  const check = join(folder.path, 'check.mjs')
  await bundleCheck(check)
  mkdirSync(target, { recursive: true })
  put('check.mjs', readFileSync(check))
  put('atrium-client.tgz', readFileSync(packClient(readProject(root), folder.path)))
  put('atrium-examples.tar.gz', packExamples())
  put('sources.sha256', sourcesHash())
}

async function bundleCheck(file: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ cwd: root, input: 'src/cli/check-program.ts', platform: 'node' })
  await bundle.write({ file, format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
}

function packExamples(): Buffer {
  const paths = globSync(examples, { cwd: root }).sort()
  return tarGz(paths.map((path) => [`atrium-${path.replaceAll(sep, '/')}`, contentOf(join(root, path))]))
}

function contentOf(file: string): string {
  const text = readFileSync(file, 'utf8')
  return file.endsWith('.md') ? withoutOuterLinks(text) : text
}

function put(name: string, content: Buffer | string): void {
  const unfinished = join(target, `${name}.${process.pid}`)
  writeFileSync(unfinished, content)
  renameSync(unfinished, join(target, name))
}

function lastBuilt(): string | undefined {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
}

function sourcesHash(): string {
  const own = [examples, 'src/{check,cli}/*.ts', 'names.json', 'package-lock.json']
  const sources = ['client/{src/**/*.ts,*.{json,md}}', ...own]
  const hash = createHash('sha256')
  for (const file of globSync(sources, { cwd: root }).sort())
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
