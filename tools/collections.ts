// npm run openapi, part 4: generates the Bruno and Postman collections from the OpenAPI document of the partner API.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brunoFiles } from './collections/bruno.ts'
import { postmanText } from './collections/postman.ts'
import { collectionOf } from './collections/requests.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'collections')
const made = ['atrium.postman_collection.json', 'bruno/**/*.{bru,json}']

/** Returns the expected files by path. */
export function collectionFiles(): Map<string, string> {
  const collection = collectionOf(JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')))
  const bruno = [...brunoFiles(collection)].map(([path, text]): [string, string] => [`bruno/${path}`, text])
  return new Map([['atrium.postman_collection.json', postmanText(collection)], ...bruno])
}

/** Returns the current files by path. */
export function keptCollections(): Map<string, string> {
  const paths = globSync(made, { cwd: folder }).map((path) => path.replaceAll('\\', '/'))
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

if (import.meta.main) {
  rmSync(join(folder, 'bruno'), { recursive: true, force: true })
  for (const [path, text] of collectionFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
