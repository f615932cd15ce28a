import { Failure } from '../failure.ts'

/** OpenSSL error codes for a certificate that is not signed by a trusted authority. */
const untrusted = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_UNTRUSTED)/
const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/

export function connectionFailure(url: string, error: unknown): Failure {
  const { code, message } = causeOf(error)
  if (untrusted.test(code)) {
    const advice = 'set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority, or with its own'
    return new Failure(`the certificate of ${url} is not trusted (${code}): ${advice}`)
  }
  if (/CERT/.test(code)) return new Failure(`the certificate of ${url} is not valid (${message}): check the address`)
  if (/^ERR_SSL|EPROTO/.test(code)) return new Failure(`${url} does not use TLS (${code}): try http://`)
  if (unreachable.test(code))
    return new Failure(`${url} cannot be reached (${code}): check the address and the service`)
  if (/redirect/.test(message)) return new Failure(`${url} redirects to another address: use that one`)
  return new Failure(`the connection to ${url} was lost (${code || message})`)
}

function causeOf(error: unknown): { code: string; message: string } {
  const cause = (error as Error).cause ?? error
  const { code = '', message } = (cause instanceof AggregateError ? cause.errors[0] : cause) as NodeJS.ErrnoException
  return { code, message }
}
