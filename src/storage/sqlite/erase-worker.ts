import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { truncateLog } from './erase.ts'

const database = new DatabaseSync(workerData)
// Long enough to get the lock between two commits, and short because other writers wait while this one holds it.
database.exec('pragma busy_timeout = 50')
const isTruncated = truncateLog(database)
database.close()
parentPort?.postMessage(isTruncated)
