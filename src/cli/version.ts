import { readFileSync } from 'node:fs'
import { print, printJson } from './output.ts'

export function versionOfAtrium(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return manifest.version
}

export function runVersion(options: { json?: boolean }): number {
  const version = versionOfAtrium()
  const node = process.versions.node
  if (options.json) printJson({ version, node })
  else print(`atrium ${version} (Node ${node})`)
  return 0
}
