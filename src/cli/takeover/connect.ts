import { Pace } from '../../takeover/pace.ts'
import { Remote } from '../../takeover/remote.ts'
import type { RemoteFlags } from './options.ts'

const backoffMs = 500

/** Returns one client per token. Together, they send at most `--rate` requests per second. */
export function connect(
  baseUrl: string,
  tokens: string[],
  { rate, timeout, maxBytes }: RemoteFlags,
  signal: AbortSignal,
): Remote[] {
  const { protocol, hostname, origin } = new URL(baseUrl)
  if (protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(hostname)) {
    process.stderr.write(`Warning: ${origin} is not encrypted, so the tokens can be read on the way\n`)
  }
  const onPause = (reason: string, seconds: number) => process.stderr.write(`${reason}: waiting ${seconds} s\n`)
  const pace = new Pace({ requestsPerSecond: rate, signal, onPause })
  return tokens.map((token, index) => {
    const name = `token ${index + 1}`
    return new Remote({ baseUrl, token, name, pace, signal, timeoutMs: timeout * 1000, maxBytes, backoffMs })
  })
}
