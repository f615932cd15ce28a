import type { Finding } from '../../engine.ts'
import { Connection } from '../connection.ts'
import type { Candidates } from './candidates.ts'
import { type Position, type StandbyState, standbyState } from './position.ts'

export async function inspectReplica(candidates: Candidates, position: Position): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, url } of candidates.all) findings.push(await inspectOne(name, url, position))
  return findings
}

async function inspectOne(name: string, url: string, position: Position): Promise<Finding> {
  const check = `replica ${name}`
  const connection = new Connection({ url, role: 'standby' })
  try {
    await connection.connect()
    const [state] = await connection.rows<StandbyState>(standbyState, [position.position])
    await connection.end()
    return findingOf(check, state as StandbyState, position)
  } catch (error) {
    connection.stream.destroy()
    const advice = 'Check ATRIUM_DATABASE_REPLICA, and that the server is a standby. Reads use the primary meanwhile.'
    return { check, ok: false, detail: (error as Error).message || String(error), advice }
  }
}

function findingOf(check: string, { identity, behind }: StandbyState, position: Position): Finding {
  const [system, database, timeline] = position.identity.split(' ')
  const [ownSystem, ownDatabase, ownTimeline] = identity.split(' ')
  if (ownSystem !== system || ownDatabase !== database) {
    const advice = 'Name a standby of the server in ATRIUM_DATABASE, and the same database.'
    return { check, ok: false, detail: 'belongs to another cluster, or is another database', advice }
  }
  if (ownTimeline === undefined) {
    const advice =
      'Let it receive its log by streaming, and on the primary: grant pg_read_all_stats to the user of Atrium.'
    return { check, ok: false, detail: 'does not show which log it receives', advice }
  }
  if (ownTimeline !== timeline) {
    const advice = 'Make the standby follow the server in ATRIUM_DATABASE.'
    return { check, ok: false, detail: `receives the log of timeline ${ownTimeline}, not ${timeline}`, advice }
  }
  return { check, ok: true, detail: `a standby of the primary, ${behind} bytes behind` }
}
