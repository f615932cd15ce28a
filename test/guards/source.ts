import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  path: string
  text: string
  lines: string[]
}

/** Returns the files that match the patterns, without dependencies and build results. */
export function sourceFiles(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist|data)$/.test(String(name)) })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.split('\n') }
    })
}
