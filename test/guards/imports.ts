import { posix } from 'node:path'
import type { SourceFile } from './source.ts'

export interface Import {
  what: string
  names: string[]
  onlyTypes: boolean
}

const statement = /^(?:import|export)\s+(type\s+)?([^'"`;]*?\bfrom\s+)?'([^']+)'/gm
const dynamic = /\bimport\('([^']+)'\)/g

/** Lists the imports and re-exports of a module; relative ones as paths. */
export function importsOf({ path, text }: Pick<SourceFile, 'path' | 'text'>): Import[] {
  const named = Array.from(text.matchAll(statement), ([, type, clause = '', what = '']) => {
    const names =
      /\{([^}]*)\}/
        .exec(clause)?.[1]
        ?.split(',')
        .map((name) => name.trim())
        .filter(Boolean) ?? []
    const others = clause.replace(/\{[^}]*\}|from|,/g, '').trim()
    const onlyTypes = type !== undefined || (others === '' && names.length > 0 && names.every(isType))
    return { what, names: [...names.map((name) => name.replace(/^type\s+/, '')), ...(others && [others])], onlyTypes }
  })
  const later = Array.from(text.matchAll(dynamic), ([, what = '']) => ({ what, names: ['*'], onlyTypes: false }))
  const from = (what: string) => (what.startsWith('.') ? posix.join(posix.dirname(path), what) : what)
  return [...named, ...later].map((found) => ({ ...found, what: from(found.what) }))
}

function isType(name: string): boolean {
  return name.startsWith('type ')
}
