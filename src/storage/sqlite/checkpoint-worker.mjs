// Runs write-ahead log checkpoints for checkpoint.ts. Plain JavaScript, so that the thread loads no TypeScript compiler.
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// Requests go first. Only Linux has a priority per thread; elsewhere this call would lower that of the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const database = new DatabaseSync(workerData)
database.exec('pragma synchronous = full')
const checkpoint = database.prepare('pragma wal_checkpoint(passive)')

// An I/O error ends the thread, whose `error` event reports it.
parentPort?.on('message', () => {
  checkpoint.get()
  parentPort?.postMessage('done')
})
