import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Built, firstPageBytes, firstPageLimitBytes } from './console-size.ts'
import { type Build, readIfPresent, sourcesHash } from './stale.ts'

const root = join(import.meta.dirname, '..')
const mark = join(root, 'console/dist/sources.sha256')

/** Builds console/dist. */
export const consoleBuild: Build = {
  isCurrent: () => readIfPresent(mark) === hash(),
  run: build,
  advice: 'The tools that build the console are not installed: `npm ci` brings them.',
}

async function build(): Promise<void> {
  const vite = await import('vite')
  console.log('Building the console …')
  const built = await vite.build({ root: join(root, 'console'), logLevel: 'warn' })
  demandSmall((built as { output: Built[] }).output)
  writeFileSync(mark, hash())
}

function demandSmall(built: Built[]): void {
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} kB`
  const bytes = firstPageBytes(built, join(root, 'console/dist'))
  const said = `The first page of the console is ${kilobytes(bytes)} compressed`
  if (bytes > firstPageLimitBytes) throw new Error(`${said}; it must stay under ${kilobytes(firstPageLimitBytes)}`)
  console.log(`${said}.`)
}

function hash(): string {
  return sourcesHash(root, 'console/*.*', 'console/{src,public}/**/*.*', 'package-lock.json')
}
