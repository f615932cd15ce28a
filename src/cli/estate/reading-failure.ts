import { Failure } from '../failure.ts'

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read by this user',
  EISDIR: 'it is a folder',
}

/** Why a file could not be read, in one line. */
export function readingFailure(path: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Failure(`cannot read ${path}: ${reasons[code] ?? message}`)
}
