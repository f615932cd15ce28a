import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../torture/random.ts'
import { compareRooms, type RoomBook, refused } from '../../torture/room-book.ts'
import type { Answer, RoomClient } from '../../torture/room-client.ts'
import type { Fault } from './faults.ts'
import type { Lane } from './lane.ts'

const reads = ['', 'f/', 'f/areas', 'f/areas_autocomplete_list'].map((path) => `/v1/facilities/${path}`)
reads.push('/v1/areas/f-0/', '/v1/areas/f-0/data_services', '/v1/me')
const writesBefore = 3
const writesAfter = 5
/** A full disk is noticed only when another page is needed; free pages of the file are used first. */
const writesAtMost = 500
const killedMeanwhile = 0.25
const patienceMs = 30_000

/**
 * One round: writes, a fault with reads and writes during it, the end of the fault or of the node, and a check of all
 * rooms.
 */
export async function round(lane: Lane, fault: Fault, random: Random): Promise<void> {
  const { url, child } = await lane.node()
  const pid = child.pid as number
  await lane.each((book, writer) => writeBefore(book, writer, url, random.branch()))
  await fault.on(pid)
  const { unavailable } = lane
  let isOver = false
  try {
    const writing = lane.each((book, writer) => writeInto(lane, fault, book, writer, url, random.branch()))
    const over = writing.finally(() => {
      isOver = true
    })
    await Promise.all([over, readInto(lane, fault, url, () => isOver)])
    if (fault.isCertain && lane.unavailable === unavailable) throw new Error(`no write has met that ${fault.name}`)
    if (random.chance(killedMeanwhile)) await lane.kill()
  } finally {
    await fault.off(pid)
  }
  await recover(lane, fault, random)
}

async function writeBefore(book: RoomBook, writer: RoomClient, url: string, random: Random): Promise<void> {
  for (let n = 0; n < writesBefore; n++) {
    const answer = await book.write(writer, url, random)
    if (answer?.status !== 200) throw refused(`a write returned ${answer?.status} though nothing was wrong`)
  }
}

async function writeInto(lane: Lane, fault: Fault, book: RoomBook, writer: RoomClient, url: string, random: Random) {
  let refusals = 0
  for (let n = 0; n < writesAtMost && refusals < writesAfter; n++) {
    const answer = await book.write(writer, url, random)
    if (answer?.status === 503) refusals++
    check('a write', answer, fault, true)
    // A write of services always changes something.
    if (fault.isTotal && answer?.body.services !== undefined) {
      throw refused(`a write was acknowledged while ${fault.name}`)
    }
  }
  lane.unavailable += refusals
}

async function readInto(lane: Lane, fault: Fault, url: string, isOver: () => boolean): Promise<void> {
  for (let n = 0; n < reads.length || !isOver(); n++) {
    const path = reads[n % reads.length] as string
    const answer = await lane.reader.ask(url, 'GET', path)
    if (answer?.status === 503) lane.unavailable++
    check(`GET ${path}`, answer, fault, fault.ofReads)
  }
}

function check(what: string, answer: Answer | undefined, { name }: Fault, mayFail: boolean): void {
  if (answer?.status === 200) return
  const isFine = mayFail && answer?.status === 503 && answer.headers['retry-after'] !== undefined
  if (!isFine) throw refused(`${what} returned ${answer?.status} while ${name}`, [JSON.stringify(answer)])
}

/** Repeats all unanswered requests until they succeed, then checks that every room is as its writer expects. */
async function recover(lane: Lane, fault: Fault, random: Random): Promise<void> {
  const { url } = await lane.node()
  await compareRooms(lane.books, lane.reader, url, `after ${fault.name}`)
  await lane.each(async (book, writer) => {
    const deadlineMs = performance.now() + patienceMs
    while ((await book.write(writer, url, random))?.status !== 200) {
      if (performance.now() > deadlineMs) throw refused(`writes are still refused after ${fault.name}`)
      await sleep(50)
    }
  })
  await compareRooms(lane.books, lane.reader, url, `after ${fault.name}`)
}
