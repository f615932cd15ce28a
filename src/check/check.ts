import { checkAreas, checkList, type FoundArea } from './areas.ts'
import { Examiner, type Result } from './examiner.ts'
import { checkFacilities, checkFacility, checkProperties } from './facilities.ts'
import { checkRoom } from './room.ts'

export interface InstallationCheck {
  baseUrl: string
  token: string
  /** The facility to look at; that of the room, or the first of the list, where it is not given. */
  facility?: string | undefined
  /** A closed, empty room that may be opened, closed and given services, by its full id. Without it none is touched. */
  room?: string | undefined
  /** Also uses a room that is open or holds services. */
  force?: boolean | undefined
}

export interface Report {
  results: Result[]
  changes: string[]
  requests: number
}

/** Holds an installation, of Atrium or another, against the specification of the partner API: in one facility. */
export async function checkInstallation({
  baseUrl,
  token,
  facility,
  room,
  force = false,
}: InstallationCheck): Promise<Report> {
  const examiner = new Examiner(baseUrl, token)
  await examiner.assertReachable()
  const id = chooseFacility(await checkFacilities(examiner, facility), room)
  const found = id === undefined ? undefined : await checkFacility(examiner, id)
  if (found !== undefined) {
    await checkProperties(examiner, found)
    await checkList(examiner, found.id)
    const areas = await checkAreas(examiner, found.id)
    if (room !== undefined) await checkNamedRoom(examiner, areas, room, force)
  }
  const { results, changes, requestCount: asked } = examiner
  return { results, changes, requests: asked }
}

/** That of the room, where one is named: ids may hold hyphens, so the longest that fits. */
function chooseFacility(ids: string[], room: string | undefined): string | undefined {
  const ofRoom = ids.filter((id) => room?.startsWith(`${id}-`)).sort((a, b) => b.length - a.length)
  return ofRoom[0] ?? ids[0]
}

async function checkNamedRoom(examiner: Examiner, areas: FoundArea[], room: string, force: boolean): Promise<void> {
  const area = areas.find(({ id }) => id === room)
  if (area !== undefined) return checkRoom(examiner, area, force)
  const detail = `${room} is not among the areas that this token can read`
  examiner.results.push({ section: '4.7', rule: 'The room is there', verdict: 'broken', detail })
}
