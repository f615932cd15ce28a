import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, temporaryFolder, writeJson } from './folder.ts'
import type { Archives } from './try-server.ts'

export interface Demo {
  partners: { id: string; token: string }[]
}

const program = (name: string) => `import { Atrium, etagOf, Problem } from '${name}'

const [, , baseUrl = '', token = ''] = process.argv
const atrium = new Atrium({ baseUrl, token })
const names: string[] = []
for await (const { id_external, name } of atrium.facilities.list()) names.push(\`\${id_external} \${name ?? ''}\`)
const [id = ''] = names[0]?.split(' ') ?? []
const facility = await atrium.facilities.get(id)
const renamed = await atrium.facilities
  .rename(id, 'Renamed', { ifMatch: etagOf(facility) })
  .catch((problem: unknown) => (problem instanceof Problem ? problem.code : 'none'))
console.log(JSON.stringify({ names, renamed }))
declare const process: { argv: string[] }
declare const console: { log(text: string): void }
`

/** Calls the service with the installed client, from a program that is type-checked strictly in two ways. */
export function tryClient(archives: Archives, { url, demo }: { url: string; demo: Demo }, faults: string[]): void {
  using folder = temporaryFolder()
  const { path } = folder
  try {
    writeJson(join(path, 'package.json'), { private: true, type: 'module' })
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', archives.client], path)
    writeFileSync(join(path, 'call.ts'), program(archives.clientName))
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      compile(archives.root, path, { module, moduleResolution })
    }
    const printed = run(process.execPath, ['call.js', url, demo.partners[0]?.token ?? ''], path)
    if (JSON.parse(printed).names.length === 0) throw new Error('it finds no facility')
    if (JSON.parse(printed).renamed === 'none') throw new Error('an error is no Problem')
  } catch (error) {
    faults.push(`the client: ${(error as Error).message}`)
  }
}

function compile(root: string, folder: string, options: object): void {
  writeJson(join(folder, 'tsconfig.json'), {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      ...options,
    },
    files: ['call.ts'],
  })
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], folder)
  if (!existsSync(join(folder, 'call.js'))) throw new Error('nothing was compiled')
}
