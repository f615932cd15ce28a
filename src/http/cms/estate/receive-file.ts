import { writeSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../../domain/refusal.ts'
import { openTemporaryFile, type TemporaryFile } from '../../../estate/temporary.ts'
import { readTyped } from '../../pipeline/body.ts'

interface RequestBody {
  headers: IncomingHttpHeaders
  chunks(): AsyncIterable<Uint8Array>
}

/**
 * Writes the body to a file, since it can exceed memory. `maxBytes` limits its size after decompression, so that a
 * small compressed body cannot fill the disk.
 */
export function receiveFile(type: string, { headers, chunks }: RequestBody, maxBytes: number): Promise<TemporaryFile> {
  const isCompressed = headers['content-encoding']?.trim().toLowerCase() === 'gzip'
  const { 'content-encoding': _, ...rest } = headers
  return readTyped([type], isCompressed ? rest : headers, async () => {
    if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
    const file = openTemporaryFile()
    try {
      await (isCompressed ? unzip(chunks(), file, maxBytes) : write(chunks(), file, maxBytes))
      return file
    } catch (error) {
      file.close()
      throw error
    }
  })
}

async function write(chunks: AsyncIterable<Uint8Array>, { fd }: TemporaryFile, maxBytes: number): Promise<void> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    if (chunk.includes(0)) throw new Refusal('text_forbidden', 'The body must not contain the character U+0000.')
    for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done)
  }
}

async function unzip(chunks: AsyncIterable<Uint8Array>, file: TemporaryFile, maxBytes: number): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), createGunzip(), (unzipped) => write(unzipped, file, maxBytes))
  } catch (error) {
    if (!/^Z_/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
    throw new Refusal('body_type_unsupported', 'The body is not in gzip, which its Content-Encoding says.')
  }
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal('body_too_large', `The body must have at most ${maxBytes} bytes.`)
}
