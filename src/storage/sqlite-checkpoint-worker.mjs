// Plain JavaScript, so that the thread loads no compiler of TypeScript.
import { constants, setPriority } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

// Whoever can be answered at once goes first. Elsewhere this would be for the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const database = new DatabaseSync(workerData)
database.exec('pragma synchronous = full')
const move = database.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', () => {
  try {
    move.get()
  } catch {
    // What the disk refuses now is tried again with the next commits.
  }
  parentPort?.postMessage('moved')
})
