import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Manifest, readManifest } from '../supply/lockfile.ts'

/** The names under which Atrium is published: one setting of the repository, `names.json`. */
export interface Names {
  /** The npm package of the service. */
  server: string
  /** The npm package of the client. */
  client: string
  /** The container image, without its tag. */
  image: string
  repository: string
  /** An SPDX expression. Null: the owner has not chosen one, and nothing may be published. */
  license: string | null
}

export function readNames(root: string): Names {
  return JSON.parse(readFileSync(join(root, 'names.json'), 'utf8'))
}

export interface Project {
  root: string
  manifest: Manifest
  names: Names
  version: string
}

export function readProject(root: string): Project {
  const manifest = readManifest(root)
  return { root, manifest, names: readNames(root), version: manifest.version }
}

/** The fields that both packages share. `private` makes `npm publish` refuse while there is no license. */
export function commonFields({ names, version }: Project): object {
  const web = names.repository.replace(/\.git$/, '')
  return {
    version,
    license: names.license ?? 'UNLICENSED',
    ...(names.license === null && { private: true }),
    type: 'module',
    repository: { type: 'git', url: `git+${names.repository}` },
    homepage: `${web}#readme`,
    bugs: { url: `${web}/issues` },
  }
}
