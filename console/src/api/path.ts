/**
 * Tells whether a path reaches the server unchanged. `fetch` resolves `.` and `..`, which `encodeURIComponent` does not
 * escape: deleting the device `..` would delete its facility.
 */
export function isSentAsWritten(path: string): boolean {
  const [written = ''] = path.split('?')
  return new URL(path, 'http://localhost').pathname === written && !/\/(?:\/|$)/.test(written)
}
