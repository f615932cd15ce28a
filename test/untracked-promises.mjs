// Preloaded in each test file. Node's test runner tracks every promise, only to attribute uncaught errors to a test, which
// takes a seventh of the processor time of a file with a server. Without it an uncaught error fails the whole file.
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
