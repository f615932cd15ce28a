// Plain JavaScript, so that the thread loads no compiler of TypeScript. It hashes one password, or compares one with a hash.
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashPassword, isPassword } from '../../domain/access/password.ts'

// Requests of partners go first. Elsewhere this would be for the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const { password, hash } = workerData
parentPort?.postMessage(hash === undefined ? hashPassword(password) : isPassword(password, hash))
