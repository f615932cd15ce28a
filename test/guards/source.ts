import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  path: string
  text: string
  lines: string[]
}

/** The files that a pattern names, without what others wrote or a build made. */
export function sourceFiles(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: root, exclude: (name) => /(^|\/)(node_modules|dist|data)$/.test(String(name)) })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.split('\n') }
    })
}
