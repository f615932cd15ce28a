// A process that carries out one command line after another, each as a process of its own would: see command.ts.
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
