import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { emptyLog } from './erase.ts'

const database = new DatabaseSync(workerData)
// Long enough for writers who come one after the other, and short enough for those who then wait for this.
database.exec('pragma busy_timeout = 50')
const isEmpty = emptyLog(database)
database.close()
parentPort?.postMessage(isEmpty)
