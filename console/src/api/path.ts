/**
 * Whether a path reaches the server as it is: `fetch` resolves `.` and `..`, which `encodeURIComponent` leaves as they are, so that
 * deleting the device `..` would delete its facility instead.
 */
export function isSentAsWritten(path: string): boolean {
  const [written = ''] = path.split('?')
  return new URL(path, 'http://localhost').pathname === written && !/\/(?:\/|$)/.test(written)
}
