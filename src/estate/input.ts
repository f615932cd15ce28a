import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { openTemporaryFile, type TemporaryFile } from './temporary.ts'

/** A text, such as an estate file, that can be read more than once. */
export interface Input {
  bytes: number
  /** Yields the text from its start, without its byte order mark. Throws NotUtf8. */
  chunks(): Iterable<string>
  close(): void
}

export class NotUtf8 extends Error {
  readonly line: number

  constructor(line: number) {
    super('this line is not UTF-8 text: save the file as UTF-8')
    this.line = line
  }
}

/** Standard input is `-`. Pipes can be read only once, so they are copied to a temporary file. */
export async function openInput(path: string, standardInput: Readable): Promise<Input> {
  if (path === '-') return inputFrom(await copyToTemporary(standardInput))
  const fd = openSync(path, 'r')
  const file = { fd, close: () => closeSync(fd) }
  if (fstatSync(fd).isFile()) return inputFrom(file)
  try {
    return inputFrom(await copyToTemporary(chunksOf(fd)))
  } finally {
    file.close()
  }
}

async function copyToTemporary(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<TemporaryFile> {
  const copy = openTemporaryFile()
  try {
    for await (const chunk of source) for (let done = 0; done < chunk.length; ) done += writeSync(copy.fd, chunk, done)
    return copy
  } catch (error) {
    copy.close()
    throw error
  }
}

export function inputFrom(file: TemporaryFile): Input {
  return { bytes: fstatSync(file.fd).size, chunks: () => decodeChunks(chunksOf(file.fd, 0)), close: file.close }
}

const chunkBytes = 262_144

/** Yields the bytes of a file in chunks that share one buffer, so that each chunk is overwritten by the next. */
function* chunksOf(fd: number, from?: number): Generator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes)
  for (let at = from ?? null; ; ) {
    const length = readSync(fd, buffer, 0, chunkBytes, at)
    if (length === 0) return
    if (at !== null) at += length
    yield buffer.subarray(0, length)
  }
}

function* decodeChunks(chunks: Iterable<Uint8Array>): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (const chunk of chunks) {
    yield orThrow(
      () => decoder.decode(chunk, { stream: true }),
      () => invalidLine(chunk, line),
    )
    line += countLineBreaks(chunk)
  }
  yield orThrow(
    () => decoder.decode(),
    () => line,
  )
}

function orThrow(decode: () => string, line: () => number): string {
  try {
    return decode()
  } catch {
    throw new NotUtf8(line())
  }
}

const lineBreak = 0x0a

function countLineBreaks(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, at + 1)) count++
  return count
}

/** Skips continuation bytes (10xxxxxx) at the start of the chunk, whose character began in the previous chunk. */
function invalidLine(chunk: Uint8Array, firstLine: number): number {
  let line = firstLine
  let at = chunk.findIndex((byte) => byte >> 6 !== 0b10)
  for (let end = chunk.indexOf(lineBreak, at); end !== -1; end = chunk.indexOf(lineBreak, at)) {
    if (!isUtf8(chunk.subarray(at, end))) return line
    at = end + 1
    line++
  }
  return line
}
