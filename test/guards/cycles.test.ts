import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { sourceFiles } from './source.ts'

type Graph = ReadonlyMap<string, readonly string[]>

const statement = /^(?:import|export)\s+(?:type\s+)?(?:[^'"`;]*?\bfrom\s+)?'(\.[^']+)'/gm

function importsIn(path: string, text: string): string[] {
  return Array.from(text.matchAll(statement), ([, what = '']) => posix.join(posix.dirname(path), what))
}

/** The strongly connected components of more than one file, by Tarjan's algorithm. */
function cyclesIn(graph: Graph): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): number => {
    index.set(file, index.size)
    low.set(file, index.size - 1)
    stack.push(file)
    for (const other of graph.get(file) ?? []) {
      const reached = index.has(other) ? (stack.includes(other) ? index.get(other) : undefined) : visit(other)
      if (reached !== undefined) low.set(file, Math.min(low.get(file) as number, reached))
    }
    if (low.get(file) === index.get(file)) {
      const component = stack.splice(stack.lastIndexOf(file))
      if (component.length > 1) cycles.push(component.sort())
    }
    return low.get(file) as number
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return cycles
}

test('no file imports itself by way of others, not even a type', () => {
  const graph = new Map(sourceFiles('src/**/*.ts').map(({ path, text }) => [path, importsIn(path, text)]))
  assert.deepEqual(cyclesIn(graph), [])
})

test('a cycle is found, whichever file it is entered by', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
  ])
  assert.deepEqual(cyclesIn(graph), [['a', 'b', 'c']])
  assert.deepEqual(importsIn('x/a.ts', "import type { B } from '../y/b.ts'"), ['y/b.ts'])
})
