import type { Value } from '../statement.ts'

/** What a character of a string takes in UTF-8 at most. */
const bytesPerUnit = 3
const usualBytes = 65_536

/** Messages to a server, one behind the other, to be sent in one go. */
export class Messages {
  #bytes = Buffer.allocUnsafe(usualBytes)
  #end = 0

  /** Makes a prepared statement, in place of one that has its name, and asks what its rows look like. */
  prepare(name: string, text: string): void {
    this.#message('C', () => this.#kindAndName('S', name))
    this.#message('P', () => {
      this.#text(name)
      this.#text(text)
      this.#int16(0)
    })
    this.#message('D', () => this.#kindAndName('S', name))
  }

  /** Carries out a prepared statement. Values and rows are text. */
  execute(name: string, values: Value[]): void {
    this.#message('B', () => {
      this.#text('')
      this.#text(name)
      this.#int16(0)
      this.#int16(values.length)
      for (const value of values) this.#value(value)
      this.#int16(0)
    })
    this.#add(executeUnnamed)
  }

  /** The end of what stands and falls together; everything so far, and nothing is left. */
  take(): Buffer {
    this.#add(sync)
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end))
    this.#end = 0
    if (this.#bytes.length > usualBytes) this.#bytes = Buffer.allocUnsafe(usualBytes)
    return taken
  }

  #message(code: string, write: () => void): void {
    this.#room(5)
    const start = this.#end
    this.#bytes[start] = code.charCodeAt(0)
    this.#end += 5
    write()
    this.#bytes.writeInt32BE(this.#end - start - 1, start + 1)
  }

  #value(value: Value): void {
    if (value === null) return this.#int32(-1)
    const length = typeof value === 'object' ? this.#copied(value) : this.#written(String(value))
    this.#bytes.writeInt32BE(length, this.#end)
    this.#end += 4 + length
  }

  /** Behind the room for their number, which is given back. */
  #copied(bytes: Uint8Array): number {
    this.#room(4 + bytes.length)
    this.#bytes.set(bytes, this.#end + 4)
    return bytes.length
  }

  #written(text: string): number {
    this.#room(4 + text.length * bytesPerUnit)
    return this.#bytes.write(text, this.#end + 4)
  }

  #kindAndName(kind: 'S', name: string): void {
    this.#room(1)
    this.#bytes[this.#end++] = kind.charCodeAt(0)
    this.#text(name)
  }

  #text(text: string): void {
    this.#room(text.length * bytesPerUnit + 1)
    this.#end += this.#bytes.write(text, this.#end)
    this.#bytes[this.#end++] = 0
  }

  #int16(value: number): void {
    this.#room(2)
    this.#end = this.#bytes.writeInt16BE(value, this.#end)
  }

  #int32(value: number): void {
    this.#room(4)
    this.#end = this.#bytes.writeInt32BE(value, this.#end)
  }

  #add(bytes: Buffer): void {
    this.#room(bytes.length)
    this.#end += bytes.copy(this.#bytes, this.#end)
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + bytes))
    this.#bytes.copy(larger, 0, 0, this.#end)
    this.#bytes = larger
  }
}

const executeUnnamed = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0])
const sync = Buffer.from([0x53, 0, 0, 0, 4])
