// Worker thread that hashes one password, or compares one with a hash. JavaScript, so that a thread does not load the
// TypeScript compiler (30 MB): the modules it imports were compiled by the main thread.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashPassword, verifyPassword } from '../../domain/access/password.ts'

// The thread runs below the priority of the main thread, so that requests of partners go first. On other systems the
// call would apply to the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const { password, hash } = workerData
parentPort?.postMessage(hash === undefined ? hashPassword(password) : verifyPassword(password, hash))
