import { BackupFault } from '../../domain/backup.ts'
import { SealedReadError } from '../../operations/background/sealed-parts.ts'
import { Failure } from '../failure.ts'

const reasons: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder, not a file',
}

export function readingFailure(path: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Failure(`cannot read ${path}: ${reasons[code] ?? message}`)
}

export function writingFailure(path: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException
  const isOfFile = code !== undefined && syscall !== undefined
  const isExplained = isOfFile || error instanceof BackupFault || error instanceof SealedReadError
  return isExplained ? new Failure(`cannot write ${path}: ${message}`) : error
}
