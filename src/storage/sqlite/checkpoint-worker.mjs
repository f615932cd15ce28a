// Plain JavaScript, so that the thread loads no compiler of TypeScript.
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// Whoever can be answered at once goes first. Elsewhere this would be for the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const database = new DatabaseSync(workerData)
database.exec('pragma synchronous = full')
const move = database.prepare('pragma wal_checkpoint(passive)')

// What the disk refuses ends the thread, and is told.
parentPort?.on('message', () => {
  move.get()
  parentPort?.postMessage('moved')
})
