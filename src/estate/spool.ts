import { ftruncateSync, readSync, writeSync } from 'node:fs'
import { openTemporaryFile, type TemporaryFile } from './temporary.ts'

/** A list of lines in a temporary file, for more lines than memory may hold. A line must not contain a line break. */
export interface Spool {
  readonly count: number
  add(line: string): void
  clear(): void
  flush(): void
  /** Yields all lines, from the first to the last. Can be called more than once. */
  lines(): Generator<string>
  close(): void
}

const bufferBytes = 1_048_576

/** Opens a list of lines in a file. Once flushed, it can be read by another thread of this process. */
export function openSpool(file: TemporaryFile = openTemporaryFile()): Spool {
  let buffered: string[] = []
  let bufferedLength = 0
  let bytes = 0
  let count = 0
  const flush = () => {
    const data = Buffer.from(buffered.join(''))
    for (let done = 0; done < data.length; ) done += writeSync(file.fd, data, done, data.length - done, bytes + done)
    bytes += data.length
    buffered = []
    bufferedLength = 0
  }
  return {
    get count() {
      return count
    },
    add: (line) => {
      buffered.push(line, '\n')
      bufferedLength += line.length
      count++
      if (bufferedLength > bufferBytes) flush()
    },
    clear: () => {
      flush()
      ftruncateSync(file.fd)
      bytes = 0
      count = 0
    },
    flush,
    lines: () => {
      flush()
      return linesIn(file.fd)
    },
    close: file.close,
  }
}

const lineBreak = 0x0a

/** Yields the lines of an open file. Text after the last line break is not a line. */
export function* linesIn(fd: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(bufferBytes)
  let rest: Buffer = Buffer.alloc(0)
  for (let at = 0; ; ) {
    const length = readSync(fd, buffer, 0, bufferBytes, at)
    if (length === 0) return
    at += length
    const data = rest.length === 0 ? buffer.subarray(0, length) : Buffer.concat([rest, buffer.subarray(0, length)])
    let from = 0
    for (let end = data.indexOf(lineBreak); end !== -1; end = data.indexOf(lineBreak, from)) {
      yield data.toString('utf8', from, end)
      from = end + 1
    }
    rest = Buffer.from(data.subarray(from))
  }
}
