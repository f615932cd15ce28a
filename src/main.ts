import { runCli } from './cli/program.ts'

// `atrium token list | head -1` closes the pipe early, which is no fault.
process.stdout.on('error', () => {})
process.exitCode = await runCli(process.argv.slice(2), process.env)
// Whatever still holds the process when all is done must not keep it.
setTimeout(() => process.exit(), 2000).unref()
