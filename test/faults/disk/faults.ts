import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Engine } from '../../harness/databases.ts'
import { tool } from '../../torture/tool.ts'
import type { Volume } from './volume.ts'

const run = promisify(execFile)

/** A temporary fault of the disk under a node. */
export interface Fault {
  name: string
  on(pid: number): Promise<void>
  off(pid: number): Promise<void>
  /** Whether reading fails as well. */
  ofReads: boolean
  /** Whether nothing can be made durable during the fault. */
  isTotal: boolean
  /** Whether a write must fail sooner or later. */
  isCertain: boolean
}

/** The faults of the volume and of kernel calls; those of calls exist only for SQLite, which runs in the node. */
export function faultsOf(engine: Engine, volume: Volume): Fault[] {
  const full: Fault = {
    name: 'the disk is full',
    on: async () => volume.fill(),
    off: async () => volume.free(),
    ofReads: false,
    isTotal: false,
    isCertain: true,
  }
  if (engine === 'postgres') return [full]
  return [
    failing(volume, 'fsync', 'posix/io/sync/fsync', 1),
    failing(volume, 'pwrite', 'posix/io/rw/pwrite', 1),
    full,
    failing(volume, 'pread', 'posix/io/rw/pread', 1),
    failing(volume, 'fsync', 'posix/io/sync/fsync', 0.3),
    failing(volume, 'pwrite', 'posix/io/rw/pwrite', 0.1),
    failing(volume, 'pread', 'posix/io/rw/pread', 0.1),
  ]
}

/** A node started through this can have failing system calls. */
export function faultyCalls(volume: Volume): string[] {
  return [tool('fiu-run', 'fiu-utils'), '-x', '-f', pipesOf(volume)]
}

function failing(volume: Volume, name: string, point: string, probability: number): Fault {
  const isAlways = probability === 1
  const control = async (pid: number, command: string) => {
    await run(tool('fiu-ctrl', 'fiu-utils'), ['-f', pipesOf(volume), '-c', command, String(pid)])
  }
  const enable = isAlways ? `enable name=${point}` : `enable_random name=${point},probability=${probability}`
  return {
    name: `${name} fails${isAlways ? '' : ` with a chance of ${probability}`}`,
    on: (pid) => control(pid, enable),
    off: (pid) => control(pid, `disable name=${point}`),
    ofReads: name === 'pread',
    isTotal: isAlways && name !== 'pread',
    isCertain: isAlways && name !== 'pread',
  }
}

function pipesOf({ folder }: Volume): string {
  return join(folder, 'fiu')
}
