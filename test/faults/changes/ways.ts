import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { World } from './world.ts'

interface EstatePart {
  facilities?: object[]
  partners?: object[]
}

/** A way to apply an estate file: the command line, or the CMS. */
export interface Way {
  name: string
  apply(world: World, part: EstatePart): Promise<unknown>
}

export const ways: Way[] = [
  {
    name: 'by an import',
    apply: ({ done }, part) => done('POST /cms/v1/import', JSON.stringify(part), { type: 'application/yaml' }),
  },
  {
    name: 'from the command line',
    apply: async ({ command }, part) => {
      const folder = mkdtempSync(join(tmpdir(), 'atrium-changes-'))
      try {
        const file = join(folder, 'estate.json')
        writeFileSync(file, JSON.stringify(part))
        await command('apply', file)
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  },
]
