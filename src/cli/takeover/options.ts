import { type Command, CommanderError, InvalidArgumentError } from 'commander'
import { isTimezone } from '../../domain/time.ts'

export interface RemoteFlags {
  rate: number
  timeout: number
  maxBytes: number
}

export function addRemoteFlags(command: Command): Command {
  return command
    .option('--rate <N>', 'requests per second at most; on 429 it slows down', decimal(0.01, 10_000), 5)
    .option('--timeout <SECONDS>', 'longest time for one response', decimal(0.1, 3600), 60)
    .option('--max-bytes <N>', 'longest response', decimal(1024, 2 ** 30), 64 * 2 ** 20)
}

export function decimal(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`)
  }
}

/** Parses the address of an installation, and removes slashes and `/v1` at its end. */
export function installation(text: string): string {
  const url = URL.parse(text)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isPlain || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('It must be a URL such as https://old.example, without a user name or "?".')
  }
  return url.href.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** Accepts only `-`, for standard input. Throws no InvalidArgumentError, which would print the token. */
export function standardInputOnly(text: string): string {
  if (text === '-') return text
  throw new CommanderError(2, 'atrium.token', '--token must be -: tokens are read from standard input, one per line')
}

export function timezone(text: string): string {
  if (isTimezone(text)) return text
  throw new InvalidArgumentError('It must be an IANA time zone such as Europe/Paris.')
}
