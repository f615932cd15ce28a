import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { RemoteConfig } from '../../config.ts'
import { Failure } from '../failure.ts'
import { connectTo, type RemoteServer } from './server.ts'

export interface DownloadOptions {
  receiving(part: number): void
  signal: AbortSignal
}

/**
 * Saves a file from the server. Resolves even if the server failed and ended the file early, which only its last lines
 * show: verify the file before you use it.
 */
export async function download(
  remote: RemoteConfig,
  path: string,
  target: Writable,
  { receiving, signal }: DownloadOptions,
): Promise<void> {
  const server = await connectTo(remote)
  const response = await server.open(path)
  if (response.headers.get('content-type') !== 'application/gzip') {
    throw new Failure(`${server.url} sent something else than the file: it may be a proxy that changes responses`)
  }
  const rows = Number(response.headers.get('x-total-count'))
  await pipeline(
    countingLines(server, response, (lines) => receiving(lines / rows)),
    target,
    { signal },
  )
}

const lineBreak = 0x0a

async function* countingLines(server: RemoteServer, response: Response, onLines: (count: number) => void) {
  let lines = 0
  const unpacked = createGunzip()
  unpacked.on('data', (data: Buffer) => {
    for (let at = data.indexOf(lineBreak); at !== -1; at = data.indexOf(lineBreak, at + 1)) lines++
    onLines(lines)
  })
  const isClosed = new Promise((resolve) => unpacked.once('close', resolve))
  // A file that is not gzip only has no progress here; the verification after the download reports it.
  unpacked.on('error', () => {})
  try {
    for await (const chunk of server.read(response)) {
      if (!unpacked.destroyed && !unpacked.write(chunk)) await Promise.race([drained(unpacked), isClosed])
      yield chunk
    }
  } finally {
    unpacked.destroy()
  }
}

function drained(stream: Writable): Promise<unknown> {
  return new Promise((resolve) => stream.once('drain', resolve))
}
