import type { RefusalCode } from '../../../domain/refusal.ts'
import { isCommon } from '../../openapi/refusals.ts'
import { table } from '../../openapi/table.ts'
import { meanings, publicCode } from '../../pipeline/errors.ts'
import { problemType } from '../../pipeline/problem.ts'
import { anchorOf } from '../guides/render.ts'
import { type Document, follow, type MediaType, type Parameter, type PlacedOperation } from './document.ts'
import { fieldTable, typeOf } from './fields.ts'

/** Converts an OpenAPI document to Markdown, which is rendered like a guide. */
export function referenceMarkdown(document: Document, viewer: string): string {
  const { info, tags, components } = document
  const operations = tags.map(({ name, description }) => {
    const own = operationsOf(document, name).map((operation) => operationText(document, operation, viewer))
    return [`## ${name}`, description, ...own].join('\n\n')
  })
  const objects = Object.entries(components.schemas).map(
    ([name, schema]) => `### ${name} object\n\n${schema.description ?? ''}\n\n${fieldTable(schema)}`,
  )
  const { headers, parameters } = components
  return [
    `# ${info.title}`,
    info.description,
    ...operations,
    '## Objects',
    ...objects,
    '## Headers',
    'Every request can have these:',
    headerTable(everywhere.map((name) => [name, parameters[name] as Parameter])),
    'Responses have these, where they apply:',
    headerTable(Object.entries(headers)),
    '## Refusals of every request',
    'Besides its own refusals, every operation has those of these that apply to it, such as those of a body.',
    refusalList((Object.keys(components.examples) as RefusalCode[]).filter(isCommon)),
  ].join('\n\n')
}

export function operationsOf({ paths }: Document, tag: string): PlacedOperation[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
    )
    .filter(({ tags }) => tags[0] === tag)
}

function operationText(document: Document, operation: PlacedOperation, viewer: string): string {
  const { tags, method, path, summary, description, parameters, requestBody, responses } = operation
  const success = follow(document, responses[200])
  const codes = Object.values(responses).flatMap((response) =>
    Object.keys(follow(document, response).content?.[problemType]?.examples ?? {}),
  ) as RefusalCode[]
  const own = codes.filter((code) => !isCommon(code))
  return [
    `### ${summary}`,
    `\`${method} ${path}\` [Try it](${viewer}#tag/${anchorOf(tags[0] ?? '')}/${method}${path})`,
    description,
    parameterTable(parameters.map((parameter) => follow(document, parameter) as Parameter)),
    ...(requestBody ? ['**Request body**', contentText(requestBody.content)] : []),
    `**Response** ${success?.description ?? ''}`,
    contentText(success?.content ?? {}),
    ...(own.length > 0 ? ['**Refusals**', refusalList(own)] : []),
  ].join('\n\n')
}

/** Headers of every operation, which the page describes only once. */
const everywhere = ['Accept-Encoding', 'X-Request-Id']

function parameterTable(parameters: Parameter[]): string {
  const rows = parameters
    .filter(({ name }) => !everywhere.includes(name))
    .map(({ name, in: place, schema, description }) => [`\`${name}\``, place, typeOf(schema), description])
  return rows.length === 0 ? '' : table(['parameter', 'in', 'type', 'meaning'], rows)
}

function headerTable(headers: [name: string, header: { description: string }][]): string {
  return table(
    ['header', 'meaning'],
    headers.map(([name, { description }]) => [`\`${name}\``, description]),
  )
}

function contentText(content: Record<string, MediaType>): string {
  return Object.entries(content)
    .map(([type, { schema, example, examples }]) => {
      const shown = example ?? Object.values(examples ?? {})[0]?.value
      const text = typeof shown === 'string' ? shown.trimEnd() : JSON.stringify(shown, null, 2)
      const fields = type === 'application/json' ? fieldTable(schema) : `\`${type}\`: ${schema.description ?? ''}`
      return `${fields}\n\n\`\`\`json\n${text}\n\`\`\``
    })
    .join('\n\n')
}

function refusalList(codes: RefusalCode[]): string {
  const byStatus = Map.groupBy(new Set(codes), (code) => meanings[code].status)
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, some]) => `- ${status} ${some.map(problemLink).join(', ')}`)
    .join('\n')
}

function problemLink(code: RefusalCode): string {
  const name = publicCode(code)
  return `[\`${name}\`](/problems/${name})`
}
