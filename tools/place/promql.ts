import { parser } from '@prometheus-io/lezer-promql'

/** A metric in a query, with the labels it selects by. */
export interface Selector {
  metric: string
  labels: string[]
}

/** Returns the metrics of a query, parsed with the PromQL grammar; Grafana variables are replaced first. */
export function selectorsIn(query: string): Selector[] {
  const text = query.replaceAll('$__rate_interval', '5m')
  const selectors: Selector[] = []
  parser.parse(text).iterate({
    enter: ({ name, from, to, node }) => {
      if (node.type.isError) throw new Error(`cannot be read at "${text.slice(from, from + 20)}"`)
      const inSelector = node.parent?.name === 'VectorSelector'
      if (name === 'Identifier' && inSelector) selectors.push({ metric: text.slice(from, to), labels: [] })
      const isMatched = name === 'LabelName' && node.parent?.name === 'UnquotedLabelMatcher'
      if (isMatched) selectors.at(-1)?.labels.push(text.slice(from, to))
    },
  })
  return selectors
}

/** Returns every metric in the text of /metrics with the labels of its samples. */
export function metricsIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? /gim)) {
    const known = found.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    found.set(name, known)
  }
  return found
}
