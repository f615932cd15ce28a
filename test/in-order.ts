// The test runner: `node --test` sorts files by name, and this one begins them in the order in which they are given.
// `in-order.ts [--coverage] [FLAG…] FILE…`, where a flag is one of Node's, for the processes that run the tests.
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const measured = process.argv.includes('--coverage')
const given = process.argv.slice(2).filter((argument) => argument !== '--coverage')
const flags = given.filter((argument) => argument.startsWith('-'))
const files = given.filter((argument) => !argument.startsWith('-')).map((file) => resolve(file))

run({
  files,
  execArgv: [`--import=${new URL('untracked-promises.mjs', import.meta.url)}`, ...flags],
  // Some files mostly wait.
  concurrency: availableParallelism() + 2,
  // Not forced to exit, which would cut off the end of a file's report; what hangs is ended by the time limit.
  timeout: 600_000,
  ...(measured && { coverage: true, coverageIncludeGlobs: ['src/**'], lineCoverage: 90 }),
})
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  .compose(spec)
  .pipe(process.stdout)
