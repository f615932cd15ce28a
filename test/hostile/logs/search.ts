import { globSync, readFileSync } from 'node:fs'
import { markPattern } from './requests.ts'

/** The secret part of a token or key, after its public id. */
const secretPattern = /at[rk]_[0-9A-Za-z]{8}_[0-9A-Za-z]{20}/

/** Returns the text around a secret, undefined when there is none. */
export function findSecret(text: string, more: string[] = []): string | undefined {
  const at = [text.search(markPattern), text.search(secretPattern), ...more.map((one) => text.indexOf(one))]
  const first = Math.min(...at.map((place) => (place === -1 ? Infinity : place)))
  if (first === Infinity) return undefined
  const words = text.slice(Math.max(0, first - 120), first + 60).replaceAll('\n', ' ')
  // What is found goes into a report.
  return words.replace(/(at[rk]_\w{8})_\w+/g, '$1_…')
}

/** Returns what every user of the machine can see of a process. */
export function processList(): string {
  return globSync('/proc/[0-9]*/cmdline').map(commandLine).join('\n')
}

function commandLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ')
  } catch {
    // The process has exited.
    return ''
  }
}
