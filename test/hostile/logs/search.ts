import { globSync, readFileSync } from 'node:fs'
import { markPattern } from './requests.ts'

/** Behind the public id of a token or key: what nobody but its owner may see. */
const secretPattern = /at[rk]_[0-9A-Za-z]{8}_[0-9A-Za-z]{20}/

/** The words around what must not be there; nothing when it is not. */
export function findSecret(text: string, more: string[] = []): string | undefined {
  const at = [text.search(markPattern), text.search(secretPattern), ...more.map((one) => text.indexOf(one))]
  const first = Math.min(...at.map((place) => (place === -1 ? Infinity : place)))
  if (first === Infinity) return undefined
  const words = text.slice(Math.max(0, first - 120), first + 60).replaceAll('\n', ' ')
  // What is found goes into a report.
  return words.replace(/(at[rk]_\w{8})_\w+/g, '$1_…')
}

/** What anybody on the machine sees of every process. */
export function processList(): string {
  return globSync('/proc/[0-9]*/cmdline').map(commandLine).join('\n')
}

function commandLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It has ended.
    return ''
  }
}
