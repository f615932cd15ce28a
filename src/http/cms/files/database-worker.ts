import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { writeAudit } from '../../../backup/audit-file.ts'
import { writeBackup } from '../../../backup/write.ts'
import { countRows } from '../../../domain/backup.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { exportAudit } from '../../../operations/background/export-audit.ts'
import { SealedReadError } from '../../../operations/background/sealed-parts.ts'
import { verifyAudit } from '../../../operations/background/verify-audit.ts'
import { backUp } from '../../../operations/estate/backup.ts'
import { openDatabase } from '../../../storage/database.ts'
import type { DatabaseMessage, DatabaseTask } from './database-task.ts'

// Reads the whole database or audit log with connections of its own; on the main thread, it would delay requests.
const { databaseUrl, fd, task } = workerData as { databaseUrl: string; fd: number; task: DatabaseTask }
const port = parentPort as MessagePort
const post = (message: DatabaseMessage) => port.postMessage(message)
const stopped = new AbortController()
port.once('message', () => stopped.abort())
const writing = { signal: stopped.signal, explain }
const postEveryBytes = 1_048_576

const db = openDatabase(databaseUrl)
try {
  post({ kind: 'done', result: await run() })
} catch (error) {
  explain(error)
} finally {
  await db.close()
  port.close()
}

async function run(): Promise<object | undefined> {
  if (task.kind === 'verify audit') {
    return verifyAudit(db, { ...(task.head && { head: task.head }), progress: (part) => post({ kind: 'part', part }) })
  }
  const file = temporaryFile()
  if (task.kind === 'export audit') {
    const { exported, span } = await exportAudit(db, task.until)
    post({ kind: 'begun', rows: span })
    await writeAudit(exported, file, { ...writing, writing: () => {} })
  } else {
    await backUp(db, async (backup) => {
      post({ kind: 'begun', rows: countRows(backup.counts) })
      await writeBackup(backup, file, { ...writing, progress: () => {} })
    })
  }
  return undefined
}

function temporaryFile(): Writable {
  let bytes = 0
  let posted = 0
  const report = () => {
    if (bytes > posted) post({ kind: 'written', bytes })
    posted = bytes
  }
  return new Writable({
    write: (chunk: Buffer, _, done) => {
      try {
        for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at, chunk.length - at, bytes + at)
        bytes += chunk.length
        if (bytes - posted >= postEveryBytes) report()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    final: (done) => {
      report()
      done()
    },
  })
}

/** Reports a failure to the main thread, which logs it. Returns what the downloading caller may know about it. */
function explain(error: unknown): string {
  const isRefusal = error instanceof Refusal
  post({ kind: 'failed', error: error as Error, code: isRefusal ? error.code : undefined })
  if (isRefusal || error instanceof SealedReadError) return error.message
  return 'the server could not read its database; its log says why'
}
