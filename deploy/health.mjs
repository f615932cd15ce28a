// For the container's health check: the base image has no curl. Ends with 0 when this node answers that it lives.
import { get as getInClear } from 'node:http'
import { get as getByTls } from 'node:https'

const { ATRIUM_PORT: port = '8080', ATRIUM_TLS_CERT: certificate } = process.env
const options = { host: '127.0.0.1', port, path: '/healthz', timeout: 2000 }

// The certificate is for the name that callers use, and this asks the node beside it, by its address.
const asked = certificate ? getByTls({ ...options, rejectUnauthorized: false }, judge) : getInClear(options, judge)
asked.on('timeout', () => asked.destroy(new Error('no answer within two seconds')))
asked.on('error', ({ message }) => end(1, message))

function judge({ statusCode }) {
  end(statusCode === 200 ? 0 : 1, `/healthz answers ${statusCode}`)
}

function end(code, text) {
  console.log(text)
  process.exit(code)
}
