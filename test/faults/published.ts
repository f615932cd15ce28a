import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consoleBuild } from '../../tools/console.ts'
import { downloadsBuild } from '../../tools/downloads.ts'
import { buildStale } from '../../tools/stale.ts'
import { viewerBuild } from '../../tools/viewer.ts'
import type { Harness, Outcome, Run } from '../torture/harness.ts'

const leftOut = (name: string, find: string) => ({ name, file: 'package.json', find, replace: '' })

/** Runs `npm run release`, which installs the packages into empty folders outside the clone and uses them. */
export const published: Harness = {
  name: 'published',
  promises: [27],
  title: 'the packages of a release install and work without the clone',
  unit: 'releases',
  target: 'the service starts, serves the console, the docs and the API; the client compiles and calls it',
  counts: { planted: 1, test: 1, torture: 3 },
  planted: [
    leftOut('a file left out of the package', `    "demo",\n    "dist",\n`),
    leftOut('pinned versions left out of the package', `,\n    "npm-shrinkwrap.json"`),
    {
      name: 'a bundle that looks for its files in the wrong folder',
      file: 'tools/program.ts',
      find: `placesOf(join(root, 'src'), join(root, 'dist/program'))`,
      replace: `placesOf(join(root, 'src'), join(root, 'dist'))`,
    },
    {
      name: 'a launcher that looks for the sources',
      file: 'bin/program.mjs',
      find: `const released = join(root, 'dist/program')`,
      replace: `const released = join(root, 'dist/programs')`,
    },
    {
      name: 'a client without types',
      file: 'client/tsconfig.json',
      find: '"declaration": true,',
      replace: '"declaration": false,',
    },
  ],
  run,
}

async function run({ build, count, progress, signal }: Run): Promise<Outcome> {
  // A build with a planted bug packs the console, the viewer and the downloads of the clone.
  await buildStale(consoleBuild, viewerBuild, downloadsBuild)
  const figures = { releases: 0, kilobytes: 0 }
  const violations: Outcome['violations'] = []
  for (let done = 0; done < count && violations.length === 0 && !signal.aborted; done++) {
    const out = mkdtempSync(join(tmpdir(), 'atrium-published-'))
    try {
      const { code, printed } = await release(build, out)
      if (code !== 0)
        violations.push({
          what: printed.findLast((line) => /^ {2}\D/.test(line))?.trim() ?? 'it failed',
          history: printed,
        })
      else figures.kilobytes = Math.ceil(statSync(join(out, archiveIn(printed))).size / 1000)
    } finally {
      rmSync(out, { recursive: true, force: true })
    }
    figures.releases++
    progress(done + 1)
  }
  return { figures, violations }
}

async function release(build: string, out: string): Promise<{ code: number | null; printed: string[] }> {
  const child = spawn(process.execPath, [join(build, 'tools/release.ts'), '--no-build', '--out', out], { cwd: build })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece) => {
      printed += piece
    })
  }
  const [code] = await once(child, 'close')
  return { code, printed: printed.trim().split('\n') }
}

/** Returns the path of the service's archive, from the list of files that is printed. */
function archiveIn(printed: string[]): string {
  const line = printed.find((one) => /npm\/\S+\.tgz$/.test(one)) ?? ''
  return line.slice(line.indexOf('npm/'))
}
