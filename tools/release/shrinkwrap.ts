import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeOf } from '../supply/lockfile.ts'
import type { Project } from './names.ts'

interface Entry {
  dependencies?: Record<string, string>
}

/**
 * Returns the `npm-shrinkwrap.json` of a package with these dependencies: the versions and hashes of the lockfile. npm
 * follows it wherever the package is installed, while it ignores a packed `package-lock.json`.
 */
export function shrinkwrap({ root, names, version, manifest }: Project, dependencies: string[]): object {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const all = new Map(Object.entries(packages as Record<string, Entry>))
  const needed = new Map<string, Entry>()
  const add = (name: string, from: string) => {
    const place = placeOf(name, from, all)
    if (place === undefined) throw new Error(`${name} is not in package-lock.json`)
    if (needed.has(place)) return
    const { dev, ...entry } = all.get(place) as Entry & { dev?: boolean }
    needed.set(place, entry)
    for (const next of Object.keys(entry.dependencies ?? {})) add(next, place)
  }
  for (const name of dependencies) add(name, '')
  const wanted = Object.fromEntries(dependencies.map((name) => [name, manifest.dependencies?.[name]]))
  return {
    name: names.server,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: names.server, version, dependencies: wanted },
      ...Object.fromEntries([...needed].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}
