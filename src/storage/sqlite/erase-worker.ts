import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { truncateLog } from './erase.ts'

const database = new DatabaseSync(workerData)
// The thread waits long enough to get a lock between two commits, but only briefly, since other writers wait as well.
database.exec('pragma busy_timeout = 50')
const isTruncated = truncateLog(database)
database.close()
parentPort?.postMessage(isTruncated)
