import { Failure } from '../failure.ts'

const reasons: Record<string, string> = {
  ENOENT: 'the file does not exist',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder, not a file',
}

/** Returns a failure that explains in one line why a file cannot be read. */
export function readingFailure(path: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return new Failure(`cannot read ${path}: ${reasons[code] ?? message}`)
}
