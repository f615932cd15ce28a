import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Measures the compressed size of the scripts and styles of the first page after signing in. */
export const firstPageLimitBytes = 350 * 1024

const firstPage = 'src/pages/overview/overview.tsx'
const always = ['index.html', 'scheme.js']

/** A file in the manifest of the build. */
export interface Built {
  type: 'chunk' | 'asset'
  fileName: string
  isEntry?: boolean
  facadeModuleId?: string | null
  imports?: string[]
  viteMetadata?: { importedCss: Set<string> }
}

export function firstPageBytes(built: readonly Built[], folder: string): number {
  const byName = new Map(built.map((file) => [file.fileName, file]))
  const files = new Set(always)
  const visit = (file: Built | undefined) => {
    if (file === undefined || files.has(file.fileName)) return
    files.add(file.fileName)
    for (const style of file.viteMetadata?.importedCss ?? []) files.add(style)
    for (const name of file.imports ?? []) visit(byName.get(name))
  }
  for (const file of built) if (file.isEntry || file.facadeModuleId?.endsWith(firstPage)) visit(file)
  return [...files].reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0)
}
