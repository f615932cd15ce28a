// npm run openapi, part 3: generates the tables in docs/guides from the code.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limitsTable } from './guides/limits.ts'
import { mapText } from './guides/map.ts'
import { problemsTable } from './guides/problems.ts'
import { settingsTable } from './guides/settings.ts'

const folder = join(import.meta.dirname, '../docs/guides')
const made: Record<string, () => string> = {
  limits: limitsTable,
  map: mapText,
  problems: problemsTable,
  settings: settingsTable,
}

/** Returns a guide with its generated parts replaced. */
export function upToDate(markdown: string): string {
  const place = /(<!-- made by npm run openapi: (\w+) -->\n).*?(<!-- end -->)/gs
  return markdown.replace(place, (_whole, begin, name, end) => {
    const make = made[name]
    if (make === undefined) throw new Error(`Nothing is made under the name ${name}`)
    return `${begin}\n${make()}\n\n${end}`
  })
}

/** Returns the guides by file name. */
export function guideTexts(): Map<string, string> {
  const files = globSync('*.md', { cwd: folder }).sort()
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}

if (import.meta.main) {
  for (const [file, text] of guideTexts()) writeFileSync(join(folder, file), upToDate(text))
}
