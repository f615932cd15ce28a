import { type Counted, createMetrics, type Metrics, sumOf } from '../../http/observability/metrics.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** Longer than the process between the workers waits for any of them. */
const patienceMs = 2_000

/** The metrics of this worker, which answer for all. */
export function sharedMetrics(): Metrics {
  const metrics = createMetrics()
  const inherited: Counted[] = []
  const waiting = new Map<number, (counted: Counted[]) => void>()
  let lastQuestion = 0

  const own = async (): Promise<Counted> =>
    sumOf([...inherited, await metrics.registry.getMetricsAsJSON()]).getMetricsAsJSON()
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'count') tell({ kind: 'counted', question: message.question, counted: await own() })
    if (message.kind === 'gathered') waiting.get(message.question)?.(message.counted)
    if (message.kind === 'inherit') inherited.push(message.counted.filter(isTotal))
  })

  const text = async () => {
    const counted = await own()
    const question = ++lastQuestion
    const others = await new Promise<Counted[]>((resolve) => {
      const overdue = setTimeout(resolve, patienceMs, [])
      waiting.set(question, (counted) => {
        clearTimeout(overdue)
        resolve(counted)
      })
      tell({ kind: 'gather', question, counted })
    })
    waiting.delete(question)
    return sumOf([counted, ...others]).metrics()
  }
  return { ...metrics, text }
}

/** What only grows; the rest describes a process that is no more. */
function isTotal({ type }: Counted[number]): boolean {
  return ['counter', 'histogram'].includes(String(type))
}

function tell(message: FromWorker): void {
  process.send?.(message)
}
