import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { tarGz } from '../src/http/site/tar.ts'
import { packClient } from './release/client.ts'
import { temporaryFolder } from './release/folder.ts'
import { readProject } from './release/names.ts'
import { withoutOuterLinks } from './release/readme.ts'
import { type Build, readIfPresent, sourcesHash } from './stale.ts'

const root = join(import.meta.dirname, '..')
const target = join(root, 'assets/downloads')
const mark = join(target, 'sources.sha256')
const examples = 'examples/{README.md,*/*.*}'

/**
 * Writes assets/downloads/, which installations serve at /downloads: the client package, the program that tests an
 * installation, and the examples.
 */
export const downloadsBuild: Build = { isCurrent: () => readIfPresent(mark) === hash(), run: makeDownloads }

/** Replaces each file atomically. */
async function makeDownloads(): Promise<void> {
  using folder = temporaryFolder()
  const check = join(folder.path, 'check.mjs')
  await bundleCheck(check)
  mkdirSync(target, { recursive: true })
  put('check.mjs', readFileSync(check))
  put('atrium-client.tgz', readFileSync(packClient(readProject(root), folder.path)))
  put('atrium-examples.tar.gz', packExamples())
  put('sources.sha256', hash())
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

function hash(): string {
  const own = [examples, 'src/{check,cli}/*.ts', 'names.json', 'package-lock.json']
  return sourcesHash(root, 'client/{src/**/*.ts,*.{json,md}}', ...own)
}
