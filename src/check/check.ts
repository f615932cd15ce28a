import { checkAreas, checkList, type FoundArea } from './areas.ts'
import { Examiner, type Result } from './examiner.ts'
import { checkFacilities, checkFacility, checkProperties } from './facilities.ts'
import { checkRoom } from './room.ts'

export interface InstallationCheck {
  baseUrl: string
  token: string
  /** Default: that of `room`, or the first one that the token can see. */
  facility?: string | undefined
  /** The full id of a closed, empty room in which to test opening, closing and services. Default: none. */
  room?: string | undefined
  /** Allows that `room` is open or has services. */
  force?: boolean | undefined
}

export interface Report {
  results: Result[]
  changes: string[]
  requests: number
}

/** Checks whether an installation, of Atrium or another implementation, conforms to the partner API. */
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
  const { results, changes, requestCount } = examiner
  return { results, changes, requests: requestCount }
}

/** Takes the facility of the room or else the first one. Ids can contain hyphens, so the longest match counts. */
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
