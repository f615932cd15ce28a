// The health check of the container, whose base image has no curl. Exits with 0 if /healthz returns 200.
import { get as httpGet } from 'node:http'
import { get as httpsGet } from 'node:https'

const { ATRIUM_PORT: port = '8080', ATRIUM_TLS_CERT: certificate } = process.env
const options = { host: '127.0.0.1', port, path: '/healthz', timeout: 2000 }

// Does not verify the certificate: it is for the public name, and this request goes to 127.0.0.1.
const request = certificate ? httpsGet({ ...options, rejectUnauthorized: false }, judge) : httpGet(options, judge)
request.on('timeout', () => request.destroy(new Error('no response within two seconds')))
request.on('error', ({ message }) => end(1, message))

function judge({ statusCode }) {
  end(statusCode === 200 ? 0 : 1, `/healthz returned ${statusCode}`)
}

function end(code, text) {
  console.log(text)
  process.exit(code)
}
