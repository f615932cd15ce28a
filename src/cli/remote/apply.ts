import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { RemoteConfig } from '../../config.ts'
import { type EstateFault, EstateFaults } from '../../domain/estate.ts'
import { changeFrom, type Difference, type EstateTally } from '../../domain/estate-difference.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Spool } from '../../estate/spool.ts'
import type { ApplyOptions } from '../../operations/estate/apply-estate.ts'
import { differenceLine } from '../estate/estate-lines.ts'
import { readingFailure } from '../estate/file-failure.ts'
import type { Failure } from '../failure.ts'
import type { Progress } from '../progress.ts'
import { readProgress } from './progress-lines.ts'
import { connectTo } from './server.ts'

interface DifferenceView {
  action: 'create' | 'update' | 'remove'
  kind: Difference['noun']
  id: string
  changes: { key: string; before?: unknown; after?: unknown }[]
  lost: string[]
}

export async function applyRemotely(
  remote: RemoteConfig,
  file: string,
  { dryRun, prune }: ApplyOptions,
  lines: Spool,
  progress: Progress,
): Promise<EstateTally> {
  const server = await connectTo(remote)
  const query = `dry_run=${dryRun}&prune=${prune}&progress=true&all_differences=true`
  const { chunks, failure } = await fileChunks(file, (part) => progress.show('Sending ', part))
  try {
    const response = await server.open(`/cms/v1/import?${query}`, {
      stream: Readable.from(chunks).pipe(createGzip()),
      headers: { 'content-type': 'application/yaml', 'content-encoding': 'gzip' },
    })
    const tally = await readProgress<EstateTally, { difference: DifferenceView }>(server, response, {
      onProgress: (part) => progress.show('Applying', part),
      onDetail: ({ difference }) => lines.add(differenceLine(differenceFrom(difference))),
      advice: 'run the command again, with --dry-run to see what is left',
    })
    return tallyOf(tally)
  } catch (error) {
    throw failure() ?? withFaults(error)
  }
}

/** If reading the file fails, `fetch` rejects without naming the cause, which `failure` then returns. */
async function fileChunks(path: string, progress: (part: number) => void) {
  let failed: Failure | undefined
  const failure = () => failed
  if (path === '-') return { chunks: process.stdin as AsyncIterable<Buffer>, failure }
  const opened = await open(path).catch((error: unknown) => {
    throw readingFailure(path, error)
  })
  const { size } = await opened.stat()
  async function* chunks(): AsyncGenerator<Buffer> {
    let bytes = 0
    try {
      for await (const chunk of opened.createReadStream({ highWaterMark: 262_144 })) {
        bytes += chunk.length
        progress(bytes / size)
        yield chunk
      }
    } catch (error) {
      failed = readingFailure(path, error)
      throw error
    }
  }
  return { chunks: chunks(), failure }
}

function tallyOf({ facilities, areas, partners }: EstateTally): EstateTally {
  return { facilities, areas, partners }
}

const signs = { create: '+', update: '~', remove: '-' } as const

function differenceFrom({ action, kind, id, changes, lost }: DifferenceView): Difference {
  const changesFrom = changes.map(({ key, ...values }) =>
    'after' in values ? changeFrom(key, values.before, values.after) : { key },
  )
  return { sign: signs[action], noun: kind, id, changes: changesFrom, lost }
}

/** Converts a refusal of an estate file to EstateFaults, whose line numbers the command prints. */
function withFaults(error: unknown): unknown {
  if (!(error instanceof Refusal) || !['body_invalid', 'estate_conflict'].includes(error.code)) return error
  const { errors = [] } = error.facts
  const faultOf = ({ pointer, detail }: { pointer: string; detail: string }): EstateFault => ({
    message: detail,
    ...(pointer !== '/' && { line: Number(pointer.slice(1)) }),
  })
  return new EstateFaults(errors.map(faultOf))
}
