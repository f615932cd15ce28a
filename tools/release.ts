// npm run release: makes everything that is published in `release/`, installs it into empty folders and uses it.
// With --out FOLDER elsewhere. With --no-build the console, the viewer and the downloads are packed as they are.
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { consoleBuild } from './console.ts'
import { downloadsBuild } from './downloads.ts'
import { packClient } from './release/client.ts'
import { packChart, packCollections, packDeployment } from './release/deployment.ts'
import { writeText } from './release/folder.ts'
import { readProject } from './release/names.ts'
import { isDevelopment, releaseNotes } from './release/notes.ts'
import { packServer } from './release/server.ts'
import { tryPackages } from './release/try-server.ts'
import { buildStale } from './stale.ts'
import { readSupply } from './supply/checks.ts'
import { sbomText } from './supply/sbom.ts'
import { viewerBuild } from './viewer.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string' }, 'no-build': { type: 'boolean' } } })
const target = resolve(values.out ?? join(root, 'release'))
const project = readProject(root)
const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), project.version)
if (isDevelopment(project.version)) {
  console.log(
    `${project.version} is a version under development: its notes are what CHANGELOG.md has under Unreleased.\n`,
  )
}

if (!values['no-build']) {
  await buildStale(consoleBuild, viewerBuild, downloadsBuild)
}
rmSync(target, { recursive: true, force: true })
mkdirSync(target, { recursive: true })

const server = await packServer(project, join(target, 'npm'))
const client = packClient(project, join(target, 'npm'))
packCollections(project, target)
packDeployment(project, target)
packChart(project, target)
writeText(join(target, 'sbom.json'), sbomText(readSupply(root)))
writeText(join(target, 'RELEASE_NOTES.md'), notes)
writeText(join(target, 'SHA256SUMS'), sums())
print()

console.log('\nInstalling and using the packages …')
const { version, names } = project
const faults = await tryPackages({ root, server, client, version, clientName: names.client })
for (const fault of faults) console.log(`  ${fault}`)
console.log(faults.length > 0 ? `${faults.length} faults` : 'The packages install and work.')
process.exitCode = faults.length > 0 ? 1 : 0

function files(): string[] {
  return globSync('**/*.*', { cwd: target }).sort()
}

/** In the form of `sha256sum`, which checks it with `--check`. */
function sums(): string {
  const lines = files().map((file) => {
    const hash = createHash('sha256').update(readFileSync(join(target, file)))
    return `${hash.digest('hex')}  ${file}\n`
  })
  return lines.join('')
}

function print(): void {
  for (const file of files()) {
    console.log(
      `${Math.ceil(statSync(join(target, file)).size / 1000)
        .toString()
        .padStart(7)} kB  ${file}`,
    )
  }
}
