// Runs checkpoints of the write-ahead log for checkpoint.ts. Written in plain JavaScript, so that the thread need not
// load a TypeScript compiler.
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// Lowers this thread's priority, so that requests take precedence. Only Linux has a priority per thread; elsewhere this
// call would lower the priority of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const database = new DatabaseSync(workerData)
// Limits how long a truncation waits for its lock: it needs a gap between two commits, but blocks other writers.
database.exec('pragma synchronous = full; pragma busy_timeout = 50')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')
const truncate = database.prepare('pragma wal_checkpoint(truncate)')

// Before a truncation, a passive checkpoint copies most pages, while others can write: so the truncation blocks writers
// only briefly. An I/O error ends the thread. checkpoint.ts learns of it by the worker's `error` event.
parentPort?.on('message', (order) => {
  checkpoint.get()
  parentPort?.postMessage(order === 'truncate' ? truncate.get()?.busy === 0 : 'done')
})
