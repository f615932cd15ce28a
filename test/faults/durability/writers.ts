import type { Run } from '../../torture/harness.ts'
import { type Asked, RoomClient } from '../../torture/room-client.ts'

export const clients = 8

/** Some requests have this header, which makes Node's HTTP parser read them instead of the fast path. */
const longWay = { te: 'trailers' }

/** Sends writes that each change something, over several connections; returns the ids of the acknowledged ones. */
export async function writeAll({ count, signal, progress }: Run, url: string, token: string): Promise<string[]> {
  const acknowledged: string[] = []
  let sent = 0
  const write = async (client: RoomClient, method: string, path: string, asked: Asked = {}) => {
    if (sent >= count || signal.aborted) return undefined
    const id = `write-${++sent}`
    const answer = await client.ask(url, method, path, { ...asked, headers: { 'x-request-id': id } })
    if (answer?.status !== 200) throw new Error(`${method} ${path} returned ${answer?.status}`)
    acknowledged.push(id)
    progress(acknowledged.length)
    return answer.body
  }
  const work = async (client: RoomClient, n: number) => {
    const room = `/v1/areas/f-${n}/`
    const add = (key: string) => ({ key, body: { value: JSON.stringify([{ code: key }]) } })
    for (let round = 0; sent < count && !signal.aborted; round++) {
      await write(client, 'POST', room, { key: `open ${round}` })
      const first = await write(client, 'POST', `${room}data_services`, add(`first ${round}`))
      await write(client, 'POST', `${room}data_services`, add(`second ${round}`))
      await write(client, 'PATCH', '/v1/facilities/f/name', { body: { value: `F ${n} ${round}` } })
      const id = first?.services.data_services[0].id
      if (id !== undefined) await write(client, 'DELETE', `${room}data_services/${id}`)
      await write(client, 'DELETE', room)
    }
    client.close()
  }
  const all = Array.from({ length: clients }, (_, n) => new RoomClient(token, n % 4 === 3 ? longWay : {}))
  await Promise.all(all.map(work))
  return acknowledged
}
