/** A node of the syntax tree, as far as it is looked at here. */
export interface Node {
  type: string
  start: number
  end: number
  // biome-ignore lint/suspicious/noExplicitAny: every type of node has members of its own
  [member: string]: any
}

export type Visit = (node: Node, parents: Node[]) => void

/** Types say nothing when the program runs; what stands inside these does. */
const transparent = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

/** Every node that does something when the program runs, with those around it, the nearest last. */
export async function walk(file: string, text: string, visit: Visit): Promise<void> {
  // It takes its time to load, which the other harnesses need not wait for.
  const { parseSync } = await import('vite')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  visitAll(program as unknown as Node, [], visit)
}

function visitAll(node: Node, parents: Node[], visit: Visit): void {
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
