import { createReadStream, statSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { BackupFault } from '../domain/backup.ts'
import { damagedBackup } from './format.ts'

const lineBreak = 0x0a

/** Yields the lines of a gzipped file, without line breaks. `what` names the expected kind of file in errors. */
export async function* linesOf(
  path: string,
  progress: (part: number) => void,
  what = 'a backup made by Atrium',
): AsyncGenerator<Buffer> {
  const { size } = statSync(path)
  const file = createReadStream(path)
  const unpacked = createGunzip()
  file.on('error', (error) => unpacked.destroy(error))
  try {
    yield* split(file.pipe(unpacked), () => progress(file.bytesRead / size))
  } catch (error) {
    throw toBackupFault(error, unpacked.bytesWritten === 0, what)
  } finally {
    file.destroy()
    unpacked.destroy()
  }
}

async function* split(chunks: AsyncIterable<Buffer>, step: () => void): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(lineBreak); end !== -1; end = chunk.indexOf(lineBreak, from)) {
      pieces.push(chunk.subarray(from, end))
      yield pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
      pieces = []
      from = end + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
    step()
  }
  if (pieces.length > 0) throw damagedBackup()
}

/** Converts errors of zlib to a BackupFault, which says what is wrong with the file. Returns other errors unchanged. */
function toBackupFault(error: unknown, isAtBeginning: boolean, what: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return new BackupFault('it is cut off: its end is missing')
  if (!code.startsWith('Z_')) return error
  return isAtBeginning ? new BackupFault(`it is not ${what}`) : damagedBackup()
}
