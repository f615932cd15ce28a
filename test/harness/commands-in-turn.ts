// Runs one command line after another in one process, each with the effects of a process of its own: see command.ts.
import { runCli } from '../../src/cli/program.ts'

export interface CommandLine {
  settings: Record<string, string>
  args: string[]
}

const printed = { stdout: '', stderr: '' }

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: string | Uint8Array) => {
    printed[name] += chunk
    return true
  }
}

process.on('message', async ({ settings, args }: CommandLine) => {
  Object.assign(printed, { stdout: '', stderr: '' })
  const code = await runCli(args, settings)
  process.send?.({ code, ...printed })
})
