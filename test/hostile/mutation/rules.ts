import { type Edit, replaced, without } from './edit.ts'
import { sqlEdits } from './sql.ts'
import type { Node } from './syntax.ts'

type Rule = (node: Node, parent: Node | undefined, text: string) => Edit[]

const comparisons: Record<string, string[]> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
}

const operators: Record<string, string[]> = {
  ...comparisons,
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
}

/** Methods that filter, order or test a list or a query: removed, or replaced by their opposite. */
const opposite: Record<string, string> = { some: 'every', every: 'some' }
const leftOut = new Set(['filter', 'sort', 'toSorted', 'where', 'innerJoin', 'distinct', '$if'])

const eitherWay = (node: Node) => ['true', 'false'].map((text) => replaced(node, text))

/** The mutations of each kind of node. */
export const rules: Record<string, Rule> = {
  IfStatement: ({ test }) => eitherWay(test),
  ConditionalExpression: ({ test }) => eitherWay(test),
  WhileStatement: ({ test }) => [replaced(test, 'false')],
  LogicalExpression: ({ left, right, operator, ...node }, _, text) => {
    const [one, other] = sides(left, right, text)
    const swapped = operator === '??' ? [] : [`${one} ${operator === '&&' ? '||' : '&&'} ${other}`]
    return [...swapped, one, other].map((instead) => replaced(node as Node, `(${instead})`))
  },
  BinaryExpression: ({ left, right, operator, ...node }, _, text) => {
    const [one, other] = sides(left, right, text)
    return (operators[operator] ?? []).map((instead) => replaced(node as Node, `${one} ${instead} ${other}`))
  },
  UnaryExpression: ({ operator, argument, start }) =>
    operator === '!' ? [{ start, end: argument.start, text: '' }] : [],
  ReturnStatement: ({ argument }) => (argument ? resultEdits(argument) : []),
  ArrowFunctionExpression: ({ body }) => (body.type === 'BlockStatement' ? [] : resultEdits(body)),
  ExpressionStatement: (node, parent) => (parent?.type === 'Program' ? [] : [replaced(node, ';')]),
  ThrowStatement: (node, parent) => (parent?.type === 'IfStatement' ? [] : [replaced(node, ';')]),
  Literal: (node, parent) => literalEdits(node, parent),
  TemplateLiteral: (node) => {
    const edits = node.quasis.flatMap(({ start, value }: Node) => sqlEdits(value.raw, start + 1))
    return edits.length > 0 ? edits : [replaced(node, "''")]
  },
  ArrayExpression: ({ elements }) => elements.map((_: Node, at: number) => without(elements, at)),
  ObjectExpression: ({ properties }) => properties.map((_: Node, at: number) => without(properties, at)),
  CallExpression: (node) => callEdits(node),
}

function sides(left: Node, right: Node, text: string): [string, string] {
  return [text.slice(left.start, left.end), text.slice(right.start, right.end)]
}

/** Mutates a return value; a boolean is negated. */
function resultEdits(result: Node): Edit[] {
  const { type, operator, name } = result
  if (type === 'LogicalExpression' || operator in comparisons || operator === '!') return eitherWay(result)
  const isPlain = type === 'ObjectExpression' || (type === 'Identifier' && name === 'undefined')
  return isPlain || typeof result.value === 'boolean' ? [] : [replaced(result, 'undefined')]
}

function literalEdits(node: Node, parent: Node | undefined): Edit[] {
  const { value, regex } = node
  if (regex !== undefined) return regexEdits(node)
  // Keys are not values, and elements of a list are removed as a whole.
  if (parent?.type === 'ArrayExpression' || (parent?.type === 'Property' && parent.key === node)) return []
  if (typeof value === 'boolean') return [replaced(node, String(!value))]
  if (typeof value === 'number') return [replaced(node, String(value + 1))]
  if (typeof value !== 'string') return []
  if (comparisons[`${value}==`] || value === '>') return [replaced(node, value === '=' ? "'<>'" : "'>='")]
  const inSql = sqlEdits(value, node.start + 1)
  return inSql.length > 0 ? inSql : [replaced(node, value === '' ? "'mutant'" : "''")]
}

function regexEdits(node: Node): Edit[] {
  const { pattern, flags } = node.regex
  const others = [pattern.replace(/^\^/, ''), pattern.replace(/\$$/, '')].filter((other) => other !== pattern)
  const loose = others.map((other) => replaced(node, `/${other}/${flags}`))
  return flags === '' ? loose : [...loose, replaced(node, `/${pattern}/`)]
}

function callEdits({ callee, end }: Node): Edit[] {
  if (callee.type !== 'MemberExpression') return []
  const { object, property } = callee
  const instead = opposite[property.name]
  if (instead !== undefined) return [replaced(property, instead)]
  return leftOut.has(property.name) ? [{ start: object.end, end, text: '' }] : []
}
