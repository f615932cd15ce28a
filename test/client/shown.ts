import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** What a page shows in TypeScript, as a file that finds the client where it is. */
export function programsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const client = JSON.stringify(join(root, 'client/src/index.ts'))
  return Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) =>
    code.replaceAll("'@atrium/client'", client),
  )
}
