// Loaded before each test file. Node's test runner follows every promise, only to say to which test an error belongs that
// nobody caught: a seventh of the processor time of a file that asks a server of its own. Here it fails the whole file.
import { createHook } from 'node:async_hooks'

const untracked = createHook({ trackPromises: false })
const [mark] = Object.getOwnPropertySymbols(untracked).filter((symbol) => untracked[symbol] === true)
const hooks = Object.getPrototypeOf(untracked)
const { enable } = hooks

hooks.enable = function () {
  if (mark !== undefined) this[mark] = true
  return enable.call(this)
}

process.on('unhandledRejection', (error) => {
  console.error('nobody caught this:', error)
  process.once('exit', () => {
    process.exitCode = 1
  })
})
