import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Extracts the TypeScript of a page into a file that can import the client. */
export function programsIn(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8')
  const client = JSON.stringify(join(root, 'client/src/index.ts'))
  return Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) =>
    code.replaceAll("'@atrium/client'", client),
  )
}
