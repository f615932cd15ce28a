import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Made } from './fill.ts'
import type { BenchEstate } from './shape.ts'

const root = join(import.meta.dirname, '../..')
const cacheFolder = join(import.meta.dirname, '../.cache')

/** Hash of everything that determines the content of a generated database. */
const sources = ['src/storage/migrations/**/*.ts', 'bench/estate/{shape,file,subscriptions}.ts']

function keyOf(engine: string, estate: BenchEstate): string {
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: root }).sort()) hash.update(readFileSync(join(root, path)))
  return `${engine}-${estate.scale}-${hash.digest('hex').slice(0, 12)}`
}

/** Returns the folder with this estate in this engine, generating it on a miss. */
export async function cached(
  engine: string,
  estate: BenchEstate,
  make: (folder: string) => Promise<Made>,
): Promise<{ folder: string; made: Made; madeNow: boolean }> {
  const folder = join(cacheFolder, keyOf(engine, estate))
  const note = join(folder, 'made.json')
  const madeNow = !existsSync(note)
  if (madeNow) {
    const half = `${folder}.part`
    rmSync(half, { recursive: true, force: true })
    mkdirSync(half, { recursive: true })
    writeFileSync(join(half, 'made.json'), JSON.stringify(await make(half)))
    rmSync(folder, { recursive: true, force: true })
    renameSync(half, folder)
  }
  return { folder, made: JSON.parse(readFileSync(note, 'utf8')), madeNow }
}
