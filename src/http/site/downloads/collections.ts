import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { tarGz } from './tar.ts'

const folder = join(import.meta.dirname, '../../../../collections')
/** The address in the files of the repository, which is replaced by the address of this installation. */
const written = 'http://127.0.0.1:8080'

/** Returns the collection of requests for Postman, with the address of this installation. */
export function postmanCollection(origin: string): Buffer {
  return Buffer.from(filled(join(folder, 'atrium.postman_collection.json'), origin))
}

/** Returns the collection of requests for Bruno as a tar archive, with the address of this installation. */
export function brunoArchive(origin: string): Buffer {
  const parent = join(folder, 'bruno')
  const paths = readdirSync(parent, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(bru|json)$/.test(path))
  return tarGz(
    paths.sort().map((path) => [`atrium-bruno/${path.replaceAll(sep, '/')}`, filled(join(parent, path), origin)]),
  )
}

function filled(file: string, origin: string): string {
  return readFileSync(file, 'utf8').replaceAll(written, origin)
}
