import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npmPack, run, temporaryFolder, writeJson, writeText } from './folder.ts'
import { commonFields, type Project } from './names.ts'
import { withoutOuterLinks } from './readme.ts'

/** Makes the npm package of the client. */
export function packClient(project: Project, target: string): string {
  using folder = temporaryFolder()
  buildClient(project.root, join(folder.path, 'dist'))
  const readme = readFileSync(join(project.root, 'client/README.md'), 'utf8')
  writeText(join(folder.path, 'README.md'), withoutOuterLinks(readme))
  const { exports, sideEffects, files, engines, description } = JSON.parse(
    readFileSync(join(project.root, 'client/package.json'), 'utf8'),
  )
  writeJson(join(folder.path, 'package.json'), {
    name: project.names.client,
    description,
    ...commonFields(project),
    keywords: ['atrium', 'hotel', 'hospital', 'rooms', 'pms', 'api', 'client', 'webhooks', 'typescript'],
    exports,
    sideEffects,
    files,
    engines,
  })
  return npmPack(folder.path, target)
}

export function buildClient(root: string, target: string): void {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  run(process.execPath, [compiler, '-p', 'client', '--outDir', target], root)
}
