/** A node of the syntax tree, with the members that are used here. */
export interface Node {
  type: string
  start: number
  end: number
  // biome-ignore lint/suspicious/noExplicitAny: every type of node has members of its own
  [member: string]: any
}

export type Visit = (node: Node, parents: Node[]) => void

/** Type syntax has no effect at run time; these nodes contain expressions that do. */
const transparent = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/** Yields every node with a run-time effect, with its ancestors, the nearest last. */
export async function walk(file: string, text: string, visit: Visit): Promise<void> {
  // Slow to load, so only this harness loads it.
  const { parseSync } = await import('vite')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  visitAll(program as unknown as Node, [], visit)
}

/** Visits a node and every node with a run-time effect below it. */
export function visitAll(node: Node, parents: Node[], visit: Visit): void {
  if (node.type === 'ImportDeclaration') return
  if (node.type.startsWith('TS')) {
    if (transparent.has(node.type)) visitAll(node.expression, [...parents, node], visit)
    return
  }
  visit(node, parents)
  for (const member of Object.values(node)) {
    for (const child of Array.isArray(member) ? member : [member]) {
      if (isNode(child)) visitAll(child, [...parents, node], visit)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
