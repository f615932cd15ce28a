import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Reserve, type Room } from '../../src/storage/memory/reserve.ts'

const roomBytes = 1024 * 1024
const segmentRooms = 8

function taken(reserve: Reserve, count: number): Room[] {
  return Array.from({ length: count }, () => reserve.take())
}

function memories(rooms: Room[]): number {
  return new Set(rooms.map(({ bytes }) => bytes.buffer)).size
}

describe('memory that is asked for in one go', () => {
  test('has rooms that do not overlap', () => {
    const rooms = taken(new Reserve(2 * segmentRooms * roomBytes, roomBytes), 2 * segmentRooms)
    assert.equal(memories(rooms), 2)
    for (const [at, { bytes }] of rooms.entries()) bytes.fill(at)
    for (const [at, { bytes }] of rooms.entries())
      assert.ok(bytes.length === roomBytes && bytes.every((byte) => byte === at))
  })

  test('is there at once, whatever of it is used', () => {
    const before = process.memoryUsage().arrayBuffers
    const reserve = new Reserve(10 * segmentRooms * roomBytes, roomBytes)
    assert.ok(process.memoryUsage().arrayBuffers - before < roomBytes)
    reserve.take()
    // Meanwhile some of what others had may have gone.
    assert.ok(process.memoryUsage().arrayBuffers - before > 5 * segmentRooms * roomBytes)
  })

  test('is not more than a quarter of a gigabyte, however much may be used', () => {
    const rooms = taken(new Reserve(2 ** 40, roomBytes), 257)
    assert.deepEqual(
      rooms.slice(-2).map(({ segment }) => segment === undefined),
      [false, true],
    )
  })

  test('is lent again from its beginning', () => {
    const reserve = new Reserve(2 * segmentRooms * roomBytes, roomBytes)
    const rooms = taken(reserve, segmentRooms + 1)
    reserve.giveBack(rooms[3] as Room)
    assert.equal(reserve.take().bytes.byteOffset, 3 * roomBytes)
  })

  test('goes back to the system when nobody is in a segment of it, and others are not disturbed', () => {
    const reserve = new Reserve(2 * segmentRooms * roomBytes, roomBytes)
    const rooms = taken(reserve, segmentRooms + 1)
    const [last] = rooms.splice(-1) as [Room]
    last.bytes.fill('x')
    for (const room of rooms) reserve.giveBack(room)
    assert.deepEqual(
      rooms.map(({ bytes }) => bytes.length),
      rooms.map(() => 0),
    )
    assert.ok(last.bytes.every((byte) => byte === 'x'.charCodeAt(0)))
    assert.equal(reserve.take().bytes.length, roomBytes)
  })

  test('is not all there is: who comes later has memory of his own, which goes when he does', () => {
    const reserve = new Reserve(segmentRooms * roomBytes, roomBytes)
    const rooms = taken(reserve, segmentRooms + 1)
    assert.equal(memories(rooms), 2)
    const [last] = rooms.splice(-1) as [Room]
    reserve.giveBack(last)
    assert.equal(last.bytes.length, 0)
  })
})
