import { runCli } from './cli/program.ts'

let unwritten: NodeJS.ErrnoException | undefined
process.stdout.on('error', (error) => {
  // Ignores EPIPE: a command such as `atrium token list | head -1` closes the pipe early, which is not an error.
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') unwritten = error
})
process.exitCode = await runCli(process.argv.slice(2), process.env)
process.on('exit', () => {
  if (unwritten === undefined) return
  process.stderr.write(`atrium: standard output cannot be written (${unwritten.message})\n`)
  process.exitCode = 1
})
// Exits after 2 seconds even if a handle, such as an idle connection, is still open.
setTimeout(() => process.exit(), 2000).unref()
