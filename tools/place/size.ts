import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { productionPackages } from '../supply/checks.ts'
import { readLockfile } from '../supply/lockfile.ts'
import { root } from './files.ts'

export interface Layer {
  title: string
  unpackedMb: number
  /** Compressed size, as in a registry. */
  packedMb: number
}

/** Not measured: the published size of gcr.io/distroless/cc-debian12, rounded up. */
const base: Layer = { title: 'base image (assumed)', unpackedMb: 30, packedMb: 12 }

const ourFolders = [
  'bin',
  'dist',
  'src',
  'assets',
  'collections',
  'demo',
  'deploy/health.mjs',
  'docs/guides',
  'package.json',
  'package-lock.json',
  'console/dist',
]

/** Returns the layers of the image, each packed from the files that the Dockerfile copies. */
export function layers(): Layer[] {
  const node = `node_modules/node-${process.platform}-${process.arch}`
  const packages = productionPackages(readLockfile(root))
    .map(({ path }) => path)
    .filter((path) => !/^node_modules\/node-(linux|win)-/.test(path))
  const hasConsole = existsSync(join(root, 'console/dist'))
  return [
    base,
    measured(`Node for ${process.arch}`, [`${node}/bin/node`]),
    measured('production packages', packages),
    measured(hasConsole ? 'Atrium and its console' : 'Atrium, its console not counted: not built yet', ourFolders),
  ]
}

function measured(title: string, paths: string[]): Layer {
  const there = paths.filter((path) => existsSync(join(root, path)))
  return { title, unpackedMb: size('tar -cf -', there), packedMb: size('tar -czf -', there) }
}

function size(pack: string, paths: string[]): number {
  const { stdout } = spawnSync('sh', ['-c', `${pack} -T - | wc -c`], {
    cwd: root,
    input: paths.join('\n'),
    encoding: 'utf8',
  })
  return Number(stdout) / 1e6
}
