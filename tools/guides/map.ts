import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readme = join(import.meta.dirname, '../../README.md')

/** Returns map and request path of the README, with links relative to the guides. */
export function mapText(): string {
  const [, text = ''] = /^## The map\n\n(.*?)\n\nChanges are listed/ms.exec(readFileSync(readme, 'utf8')) ?? []
  if (text === '') throw new Error('The README has no map, or something else below it')
  return text
    .replaceAll('](docs/guides/', '](')
    .replaceAll('](docs/', '](../')
    .replaceAll(/\]\((?!\.\.\/|[\w-]+\.md|https?:)/g, '](../../')
}
