// npm run build: builds console/dist. With --if-stale only if the sources have changed since the last build.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Built, firstPageBytes, firstPageLimitBytes } from './console-size.ts'

const root = join(import.meta.dirname, '..')
const mark = join(root, 'console/dist/sources.sha256')

if (import.meta.main) {
  if (process.argv.includes('--if-stale')) await buildWhenStale()
  else await build()
}

/** A production install has no build tools: the existing build is served, or a page that explains what is missing. */
export async function buildWhenStale(): Promise<void> {
  if (lastBuilt() === sourcesHash()) return
  console.log('Building the console …')
  await build().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    console.log('The tools that build the console are not installed: `npm ci` brings them.')
  })
}

async function build(): Promise<void> {
  const vite = await import('vite')
  const built = await vite.build({ root: join(root, 'console'), logLevel: 'warn' })
  demandSmall((built as { output: Built[] }).output)
  writeFileSync(mark, sourcesHash())
}

function demandSmall(built: Built[]): void {
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} kB`
  const bytes = firstPageBytes(built, join(root, 'console/dist'))
  const said = `The first page of the console is ${kilobytes(bytes)} compressed`
  if (bytes > firstPageLimitBytes) throw new Error(`${said}; it must stay under ${kilobytes(firstPageLimitBytes)}`)
  console.log(`${said}.`)
}

function lastBuilt(): string | undefined {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
}

function sourcesHash(): string {
  const files = globSync('{console/*.*,console/{src,public}/**/*.*,package-lock.json}', { cwd: root }).sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}
