import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleInto } from '../program.ts'
import { copyAll, npmPack, temporaryFolder, writeJson, writeText } from './folder.ts'
import { commonFields, type Project } from './names.ts'
import { notices } from './notices.ts'
import { shrinkwrap } from './shrinkwrap.ts'

/** What is made for the package. The other `files` of the manifest are copied from the clone. */
const made = ['dist', 'NOTICES.txt', 'npm-shrinkwrap.json']
/** Packages that the bundle loads when it runs (`src/domain/room/contract.ts`); all others are inside it. */
const loaded = ['ajv', 'ajv-formats']

/** Makes the npm package of the service. */
export async function packServer(project: Project, target: string): Promise<string> {
  using folder = temporaryFolder()
  copyAll(
    project.root,
    folder.path,
    project.manifest.files.filter((file) => !made.includes(file)),
  )
  await bundle(project.root, join(folder.path, 'dist/program'))
  writeJson(join(folder.path, 'package.json'), manifestOf(project))
  writeJson(join(folder.path, 'npm-shrinkwrap.json'), shrinkwrap(project, loaded))
  writeText(join(folder.path, 'NOTICES.txt'), notices(project))
  writeText(join(folder.path, 'README.md'), readFileSync(join(import.meta.dirname, 'server-readme.md'), 'utf8'))
  return npmPack(folder.path, target)
}

/** Bundles below the clone first, so that source maps name the sources by short relative paths. */
async function bundle(root: string, target: string): Promise<void> {
  const made = join(root, `dist/release.${process.pid}`)
  try {
    await bundleInto(root, made)
    cpSync(made, target, { recursive: true })
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

function manifestOf(project: Project): object {
  const { description, keywords, bin, exports, files, dependencies } = project.manifest
  return {
    name: project.names.server,
    description,
    ...commonFields(project),
    keywords,
    bin,
    exports,
    files,
    engines: { node: '>=24' },
    dependencies: Object.fromEntries(loaded.map((name) => [name, dependencies?.[name]])),
  }
}
