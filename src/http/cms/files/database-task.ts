import { readSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { Refusal, type RefusalCode } from '../../../domain/refusal.ts'
import { openTemporaryFile, type TemporaryFile } from '../../../estate/temporary.ts'
import type { Verification } from '../../../operations/background/verify-audit.ts'
import type { CmsContext } from '../endpoint.ts'

/** Work that reads the whole database or the whole audit log, in a worker thread. */
export type DatabaseTask =
  | { kind: 'back up' }
  | { kind: 'export audit'; until: string | undefined }
  | { kind: 'verify audit'; head: string | undefined }

/** Messages of the thread. `bytes`: how many bytes of the file are complete; `part`: how much is verified, 0 to 1. */
export type DatabaseMessage =
  | { kind: 'begun'; rows: number }
  | { kind: 'written'; bytes: number }
  | { kind: 'part'; part: number }
  | { kind: 'failed'; error: Error; code: RefusalCode | undefined }
  | { kind: 'done'; result: object | undefined }

type Context = Pick<CmsContext, 'db' | 'config' | 'signal' | 'requireStillAllowed' | 'onFailure'>

interface GrowingFile {
  rows: number
  chunks: AsyncGenerator<Buffer>
}

/**
 * Runs a task that writes to a temporary file, from which the response is sent: a slow client must not keep the
 * transaction open. If the task fails, the file ends without the footer that marks it as complete.
 */
export async function writeInThread(task: DatabaseTask, context: Context): Promise<GrowingFile> {
  const file = openTemporaryFile()
  const thread = startThread(task, context, file)
  const isOver = aborted(context.signal())
  void isOver.then(thread.stop)
  void Promise.all([isOver, thread.exited]).then(file.close)
  const first = await thread.next()
  if (first?.kind !== 'begun') throw failureOf(first)
  return { rows: first.rows, chunks: chunksOf(thread, file, context) }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

const maxChunkBytes = 262_144

async function* chunksOf(thread: Thread, { fd }: TemporaryFile, context: Context): AsyncGenerator<Buffer> {
  let sent = 0
  for (;;) {
    const message = await thread.next()
    if (message?.kind === 'done') return
    if (message?.kind === 'failed') context.onFailure(failureOf(message))
    if (message === undefined) throw failureOf(message)
    if (message.kind !== 'written') continue
    while (sent < message.bytes) {
      await context.requireStillAllowed()
      const chunk = Buffer.allocUnsafe(Math.min(maxChunkBytes, message.bytes - sent))
      sent += readSync(fd, chunk, 0, chunk.length, sent)
      yield chunk
    }
  }
}

export async function verifyInThread(
  head: string | undefined,
  context: Context,
  onPart: (part: number) => void,
): Promise<Verification> {
  const thread = startThread({ kind: 'verify audit', head }, context)
  for (;;) {
    const message = await thread.next()
    if (message?.kind === 'part') onPart(message.part)
    else if (message?.kind === 'done') return message.result as Verification
    else throw failureOf(message)
  }
}

interface Thread {
  stop(): void
  exited: Promise<void>
  /** Resolves to the next message; undefined if the thread ended without one. */
  next(): Promise<DatabaseMessage | undefined>
}

/** Starts a thread. A process runs one at a time, because each needs a core and much of the disk. */
function startThread(task: DatabaseTask, context: Context, file?: TemporaryFile): Thread {
  const release = context.db.claim('database task')
  if (release === undefined) {
    file?.close()
    throw new Refusal('overloaded', 'This node writes a backup or reads the audit log already: try again later.', {
      retryAfterSeconds: 30,
    })
  }
  const workerData = { databaseUrl: context.config.database, fd: file?.fd, task }
  const worker = new Worker(new URL('./database-worker.ts', import.meta.url), { workerData })
  // Without this, the process could not exit before the thread has ended.
  worker.unref()
  const messages: DatabaseMessage[] = []
  let hasExited = false
  let changed = Promise.withResolvers<void>()
  const add = (message: DatabaseMessage) => {
    if (message.kind === 'done') release()
    messages.push(message)
    changed.resolve()
  }
  worker.on('message', add)
  worker.on('error', (error) => add({ kind: 'failed', error, code: undefined }))
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  void exited.then(() => {
    release()
    hasExited = true
    changed.resolve()
  })
  const next = async () => {
    while (messages.length === 0 && !hasExited) {
      await changed.promise
      changed = Promise.withResolvers()
    }
    return messages.shift()
  }
  return { stop: () => worker.postMessage('stop'), exited, next }
}

function failureOf(message: DatabaseMessage | undefined): Error {
  if (message?.kind !== 'failed') return new Error('a worker thread ended without a result')
  return message.code === undefined ? message.error : new Refusal(message.code, message.error.message)
}
