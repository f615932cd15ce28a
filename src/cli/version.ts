import { atriumVersion } from '../version.ts'
import { print, printJson } from './output.ts'

export function runVersion(options: { json?: boolean }): number {
  const version = atriumVersion()
  const node = process.versions.node
  if (options.json) printJson({ version, node })
  else print(`atrium ${version} (Node ${node})`)
  return 0
}
