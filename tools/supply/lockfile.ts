import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Manifest {
  name: string
  version: string
  description: string
  repository: { type: string; url: string }
  keywords: string[]
  bin: Record<string, string>
  exports: Record<string, string>
  /** What the package of the service contains. */
  files: string[]
  /** Folders of workspaces. */
  workspaces?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  allowScripts?: Record<string, boolean>
}

/** An installed package in the lockfile. */
export interface Package {
  /** Path such as `node_modules/a/node_modules/b`. */
  path: string
  name: string
  version: string
  integrity: string | undefined
  resolved: string | undefined
  license: string | undefined
  /** Deprecation message of the publisher. */
  deprecated: string | undefined
  isLink: boolean
  hasInstallScript: boolean
  isOptional: boolean
  /** Whether the package is used in production, not only for tests and builds. */
  isProduction: boolean
  /** Paths of its dependencies. */
  needs: string[]
}

export interface Lockfile {
  lockfileVersion: number
  packages: Package[]
}

interface Entry {
  name?: string
  version?: string
  integrity?: string
  resolved?: string
  license?: string
  deprecated?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Returns third-party packages, without the root, the workspaces and links to them. */
export function readLockfile(folder: string): Lockfile {
  const { lockfileVersion, packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const own = ['', ...(packages[''].workspaces ?? [])]
  const isOwn = (path: string, { link, resolved = '' }: Entry) => own.includes(link ? resolved : path)
  const entries = Object.entries(packages as Record<string, Entry>).filter(([path, entry]) => !isOwn(path, entry))
  const paths = new Set(entries.map(([path]) => path))
  return { lockfileVersion, packages: entries.map(([path, entry]) => packageOf(path, entry, paths)) }
}

function packageOf(path: string, entry: Entry, paths: Set<string>): Package {
  const wanted = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
  return {
    path,
    name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version ?? '',
    integrity: entry.integrity,
    resolved: entry.resolved,
    license: entry.license,
    deprecated: entry.deprecated,
    isLink: entry.link === true,
    hasInstallScript: entry.hasInstallScript === true,
    isOptional: entry.optional === true,
    isProduction: entry.dev !== true,
    needs: wanted.map((name) => placeOf(name, path, paths)).filter((place) => place !== undefined),
  }
}

/** Resolves a dependency as Node does: in the nearest enclosing `node_modules`. */
export function placeOf(name: string, from: string, paths: { has(path: string): boolean }): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (paths.has(place)) return place
    if (folder === '') return undefined
  }
}
