import { release } from '../../domain/bytes.ts'

const segmentBytes = 8 * 1024 * 1024
/** Whoever wants to remember far more than that has the memory for it, but not necessarily at once. */
const reservedAtMost = 256 * 1024 * 1024

/** Some memory, to be given back as a whole. */
export interface Room {
  readonly bytes: Buffer<ArrayBuffer>
  readonly segment: Segment | undefined
}

/**
 * Memory that is asked for in one go, with its first use, and handed out in rooms of one size. What nobody has written to
 * takes nothing. Asked for piece by piece it would be growth outside of V8's heap: for each fifth of what is in the heap
 * V8 would look through all of it. A segment in which nobody is goes back to the system.
 */
export class Reserve {
  readonly #bytes: number
  readonly #roomBytes: number
  #segments: Segment[] | undefined

  constructor(bytes: number, roomBytes: number) {
    this.#bytes = Math.min(bytes, reservedAtMost)
    this.#roomBytes = roomBytes
  }

  /** Of the first segment that has one, so that the last ones come free; when none has, memory of its own. */
  take(): Room {
    this.#segments ??= this.#make()
    for (const segment of this.#segments) {
      const room = segment.take()
      if (room !== undefined) return room
    }
    return { bytes: Buffer.allocUnsafeSlow(this.#roomBytes), segment: undefined }
  }

  /** Nobody can read it afterwards. */
  giveBack({ bytes, segment }: Room): void {
    if (segment === undefined) release(bytes)
    else segment.giveBack(bytes.byteOffset)
  }

  #make(): Segment[] {
    return Array.from({ length: Math.ceil(this.#bytes / segmentBytes) }, () => new Segment(this.#roomBytes))
  }
}

class Segment {
  readonly #roomBytes: number
  #memory: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(segmentBytes)
  /** Where free rooms begin, the first one last. */
  readonly #free: number[]
  readonly #rooms: number

  constructor(roomBytes: number) {
    this.#roomBytes = roomBytes
    this.#rooms = Math.floor(segmentBytes / roomBytes)
    this.#free = Array.from({ length: this.#rooms }, (_, index) => (this.#rooms - 1 - index) * roomBytes)
  }

  take(): Room | undefined {
    const at = this.#free.pop()
    return at === undefined ? undefined : { bytes: this.#memory.subarray(at, at + this.#roomBytes), segment: this }
  }

  giveBack(at: number): void {
    this.#free.push(at)
    if (this.#free.length < this.#rooms) return
    const left = this.#memory
    // Before the other goes: V8 sees no more and no less of it.
    this.#memory = Buffer.allocUnsafeSlow(segmentBytes)
    release(left)
  }
}
