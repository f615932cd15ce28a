import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Edit } from './edit.ts'
import { type Part, parts } from './parts.ts'
import { rules } from './rules.ts'
import { type Node, walk } from './syntax.ts'

/** One mutation at one position. */
export interface Mutant extends Edit {
  part: Part
  line: number
  /** Its line in the file. */
  code: string
  before: string
}

/** Every mutant of the access module, in the order of the sources. */
export async function mutantsOf(build: string): Promise<Mutant[]> {
  const all = parts.map((part) => mutantsIn(part, readFileSync(join(build, part.file), 'utf8')))
  return (await Promise.all(all)).flat()
}

async function mutantsIn(part: Part, text: string): Promise<Mutant[]> {
  const edits = new Map<string, Edit>()
  const missing = new Set(part.within)
  await walk(part.file, text, (node, parents) => {
    const name = nameAround([...parents, node])
    missing.delete(name)
    if (part.within !== undefined && !part.within.includes(name)) return
    const parent = parents.findLast(({ type }) => !type.startsWith('TS'))
    for (const edit of rules[node.type]?.(node, parent, text) ?? []) {
      edits.set(`${edit.start} ${edit.end} ${edit.text}`, edit)
    }
  })
  if (missing.size > 0) throw new Error(`${part.file} has no ${[...missing].join(', ')}`)
  return [...edits.values()].map((edit) => ({
    ...edit,
    part,
    ...placeOf(edit, text),
    before: text.slice(edit.start, edit.end),
  }))
}

function placeOf({ start }: Edit, text: string): Pick<Mutant, 'line' | 'code'> {
  const line = text.slice(0, start).split('\n').length
  return { line, code: (text.split('\n')[line - 1] as string).trim() }
}

/** Returns the name of the top-level function, class or constant around these nodes, '' outside of any. */
function nameAround(nodes: Node[]): string {
  const declared = nodes.slice(1, 3).find(({ type }) => /^(Function|Variable|Class)Declaration$/.test(type))
  return declared?.id?.name ?? declared?.declarations?.[0]?.id?.name ?? ''
}

/** `a && b → a || b` */
export function changeOf({ before, text }: Mutant): string {
  return [before, text].map(shortened).join(' → ')
}

/** Returns the mutant with its position in the source. */
export function titleOf(mutant: Mutant): string {
  return `${mutant.part.file}:${mutant.line}: ${changeOf(mutant)}`
}

const longest = 100

function shortened(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim()
  if (line === '' || line === ';') return 'nothing'
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
