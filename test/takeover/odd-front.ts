import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const instant = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z"/g
const isList = /^\/v1\/facilities\/([^/]+\/areas(_autocomplete_list)?)?$/

/**
 * Starts a front of an Atrium that sends its lists in pages of ten, and its date-times in local time, without their
 * offset.
 */
export async function startOddFront(url: string, timeZone: string) {
  const paths: string[] = []
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const pass = async ({ url: path = '', headers }: IncomingMessage, response: ServerResponse) => {
    paths.push(path)
    const { authorization = '' } = headers
    const answer = await fetch(`${url}${path}${isList.test(path) ? '?limit=10' : ''}`, { headers: { authorization } })
    const text = await answer.text()
    const link = answer.headers.get('link')
    response.writeHead(answer.status, { 'content-type': 'application/json', ...(link !== null && { link }) })
    response.end(text.replaceAll(instant, (_whole, time) => `"${format.format(new Date(`${time}Z`))}"`))
  }
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, close }
}
