import { type Hospital, type Job, jobs, type Way } from '../everyday/jobs.ts'
import { Wire } from '../everyday/wire.ts'
import type { Side } from './back-to-back.ts'
import type { Ground } from './context.ts'
import { quietRounds } from './rounds.ts'
import { serve } from './serve.ts'

/** Measures what a property-management system does every day, by single calls and by the calls made for it. */
export async function measureEveryday(ground: Ground): Promise<void> {
  const side = await serve(ground)
  const { estate, databases } = ground.context
  const hospital = {
    facility: estate.facility(0).idExternal,
    rooms: Array.from({ length: estate.areas }, (_, index) => estate.area(0, index).fullId),
  }
  const [partner = 0] = estate.partnersOf(0)
  const token = databases.made.tokens[partner] ?? ''
  for (const job of jobs) await measureJob(side, job, hospital, token)
  await side.stop()
}

/** Runs each way once per round, in turn. */
async function measureJob({ context, subject }: Side, job: Job, hospital: Hospital, token: string): Promise<void> {
  context.say(job.name)
  const measure = async (way: Way) => {
    const preparing = new Wire(subject.url, token)
    const known = await job.prepare(preparing, hospital)
    preparing.close()
    const wire = new Wire(subject.url, token, way.connections)
    const startMs = performance.now()
    await way.run(wire, hospital, known)
    const seconds = (performance.now() - startMs) / 1000
    wire.close()
    return { seconds, calls: wire.calls, bytes: wire.bytes }
  }
  const { rounds, repeated } = await quietRounds(context.timing, async () => {
    const round = []
    for (const way of job.ways) round.push(await measure(way))
    return round
  })
  for (const [index, way] of job.ways.entries()) {
    const measured = rounds.map((round) => round[index] as Awaited<ReturnType<typeof measure>>)
    context.add({
      name: `${everyday}${job.name}: ${way.name}`,
      engine: context.databases.engine,
      scale: context.estate.scale,
      unit: 's',
      measured: measured.map(({ seconds }) => seconds),
      details: { calls: measured[0]?.calls, bytes: measured[0]?.bytes, repeated },
    })
  }
}

/** The beginning of the names of these figures. */
export const everyday = 'everyday, '
