import { typicalText } from './typical-text.ts'

/**
 * Bodies of JSON in fewer bytes: much of them was said before, in themselves or in any other. What is squeezed is a row
 * of steps: so many bytes as they are, then so many once more from so far back, where the typical text stands before the
 * body. The first byte of a step has both counts, and what is too large for its half follows, seven bits at a time. The
 * last step repeats nothing.
 */

/** Then every distance fits into two bytes, and whoever sends the body copies it, with its head. */
export const squeezedAtMost = 60_000
/** Of a smaller body there is little to win, and one that stays larger than this part of itself is not worth it. */
const squeezedAtLeast = 200
const share = 0.6

const typical = Buffer.from(typicalText)
const first = typical.length
/** Bodies are squeezed from here and stretched to here, behind the typical text. */
const plain = Buffer.concat([typical, Buffer.alloc(squeezedAtMost)])
const squeezed = Buffer.alloc(squeezedAtMost * share)
/** The longest body that was in them since they were last overwritten. */
let longest = 0

const halfByte = 15
const shortestRepeat = 4
/** A count of up to 60,000 takes three bytes behind the first. */
const stepBytesAtMost = 1 + 3 + 3 + 2
const hashBits = 12
/** The golden ratio of 32 bits, which spreads what is alike. */
const spread = 0x9e3779b1

/** Where four bytes with this hash stand in the typical text. */
const inTypical = new Int32Array(1 << hashBits).fill(-1)
for (let at = 0; at + shortestRepeat <= first; at++) inTypical[hashAt(at)] = at
/** Where they were last seen in a body, counted on from one to the next: what is below its beginning is of another. */
const inBody = new Int32Array(1 << hashBits)
const countedAtMost = 2 ** 25
let counted = 1

/** To be copied before anything else is squeezed or overwritten. Nothing where it would not be worth it. */
export function squeeze(body: Uint8Array): Buffer | undefined {
  if (body.length < squeezedAtLeast || body.length > squeezedAtMost) return undefined
  plain.set(body, first)
  longest = Math.max(longest, body.length)
  const room = Math.floor(body.length * share)
  const begin = countOn(body.length) - first
  const last = first + body.length
  let out = 0
  let from = first
  for (let at = first; at + shortestRepeat <= last; ) {
    const hash = hashAt(at)
    const seen = (inBody[hash] as number) - begin
    const earlier = seen < first ? (inTypical[hash] as number) : seen
    inBody[hash] = begin + at
    const length = earlier < 0 ? 0 : sameBytes(earlier, at, last)
    if (length < shortestRepeat) {
      at++
      continue
    }
    if (out + at - from + stepBytesAtMost > room) return undefined
    out = writeStep(from, at, out, length - shortestRepeat + 1)
    squeezed[out++] = (at - earlier) & 0xff
    squeezed[out++] = (at - earlier) >>> 8
    at += length
    from = at
  }
  if (out + last - from + stepBytesAtMost > room) return undefined
  return squeezed.subarray(0, writeStep(from, last, out, 0))
}

function countOn(length: number): number {
  if (counted > countedAtMost) {
    inBody.fill(0)
    counted = 1
  }
  const begin = counted
  counted += length
  return begin
}

function hashAt(at: number): number {
  const low = (plain[at] as number) | ((plain[at + 1] as number) << 8)
  const high = (plain[at + 2] as number) | ((plain[at + 3] as number) << 8)
  return Math.imul(low | (high << 16), spread) >>> (32 - hashBits)
}

function sameBytes(earlier: number, at: number, last: number): number {
  let length = 0
  while (at + length < last && plain[earlier + length] === plain[at + length]) length++
  return length
}

/** All of a step but how far back. */
function writeStep(from: number, to: number, begin: number, repeat: number): number {
  let out = begin
  squeezed[out++] = (Math.min(to - from, halfByte) << 4) | Math.min(repeat, halfByte)
  if (to - from >= halfByte) out = writeCount(out, to - from - halfByte)
  for (let at = from; at < to; at++) squeezed[out++] = plain[at] as number
  return repeat >= halfByte ? writeCount(out, repeat - halfByte) : out
}

function writeCount(begin: number, count: number): number {
  let out = begin
  let rest = count
  for (; rest > 0x7f; rest >>>= 7) squeezed[out++] = (rest & 0x7f) | 0x80
  squeezed[out++] = rest
  return out
}

/** From here on it is less work for the engine to copy than to go on byte by byte. */
const worthACall = 32

/** The body that was squeezed into these bytes. To be used before anything else is squeezed, stretched or overwritten. */
export function stretch(from: Uint8Array, begin: number, end: number): Buffer {
  let at = begin
  let out = first
  while (at < end) {
    const both = from[at++] as number
    const given = readCount(from, at, both >>> 4)
    at += countBytes(given)
    for (const to = out + given; out < to; ) plain[out++] = from[at++] as number
    const repeat = readCount(from, at, both & halfByte)
    at += countBytes(repeat)
    if (repeat === 0) continue
    const repeatTo = out + repeat + shortestRepeat - 1
    let earlier = out - ((from[at] as number) | ((from[at + 1] as number) << 8))
    at += 2
    if (repeatTo - out >= worthACall && repeatTo - out <= out - earlier) {
      plain.copyWithin(out, earlier, earlier + repeatTo - out)
      out = repeatTo
    }
    while (out < repeatTo) plain[out++] = plain[earlier++] as number
  }
  longest = Math.max(longest, out - first)
  return plain.subarray(first, out)
}

/** Nothing of what was squeezed or stretched is left in the places where that was done. */
export function overwrite(): void {
  plain.fill(0, first, first + longest)
  squeezed.subarray(0, longest).fill(0)
  longest = 0
}

function readCount(from: Uint8Array, begin: number, half: number): number {
  let sum = half
  if (half < halfByte) return sum
  for (let at = begin, shift = 0; ; at++, shift += 7) {
    const byte = from[at] as number
    sum += (byte & 0x7f) << shift
    if (byte < 0x80) return sum
  }
}

/** What a count takes behind its half of a byte. */
function countBytes(count: number): number {
  const rest = count - halfByte
  return rest < 0 ? 0 : rest < 1 << 7 ? 1 : rest < 1 << 14 ? 2 : 3
}
