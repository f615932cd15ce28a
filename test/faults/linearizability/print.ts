import {
  type Answer,
  type Condition,
  type History,
  type Operation,
  type Request,
  type Sight,
  serviceOf,
} from './history.ts'

/** Prints a line for each operation, in the order of their begins, with begin and end as ranks. */
export function linesOf(history: History | undefined): string[] {
  if (history === undefined) return []
  const { first, operations } = history
  const moments = operations.flatMap(({ begin, end }) => [begin, end]).sort((a, b) => a - b)
  const place = (moment: number) => (Number.isFinite(moment) ? String(moments.indexOf(moment) + 1).padStart(2) : ' …')
  const line = ({ client, begin, end, request, answer }: Operation) =>
    `${place(begin)} to ${place(end)}  client ${client}: ${asked(request)} → ${said(answer)}`
  const inOrder = [...operations].sort((a, b) => a.begin - b.begin)
  return [`at first: ${seen(first)}`, ...inOrder.map(line)]
}

function asked(request: Request): string {
  if (request.kind === 'read') return `read ${request.route}`
  if (request.kind === 'all') return `all of (${request.steps.map(asked).join('; ')})`
  return `${request.kind}${named(request)}${condition(request.onlyIf)}`
}

function named(request: Exclude<Request, { kind: 'read' | 'all' }>): string {
  if (request.kind === 'change') return ` ${serviceOf(request.code, request.label)}`
  if (request.kind === 'replace') return ` by [${request.kept.join(' ')}] and new [${request.added.join(' ')}]`
  return 'code' in request ? ` ${request.code}` : ''
}

function condition({ cycle, etag }: Condition = {}): string {
  return [cycle && ` if cycle ${short(cycle)}`, etag && ` if tag ${short(etag)}`].filter(Boolean).join(' and')
}

function said(answer: Answer | undefined): string {
  if (answer === undefined) return 'no response'
  if (answer.said === 'done') return (answer.steps ?? [answer.sight]).map(seen).join('; ')
  return answer.at === undefined ? answer.said : `${answer.said} at ${answer.at + 1}`
}

function seen({ cycle, services, etag }: Sight): string {
  const state = cycle === undefined ? [] : [cycle === null ? 'closed' : `cycle ${short(cycle)}`]
  return [...state, `[${services.join(' ')}]`, ...(etag ? [`tag ${short(etag)}`] : [])].join(', ')
}

/** Shortens ids, but keeps them distinct. */
function short(text: string): string {
  return text.replaceAll('"', '').slice(-6)
}
