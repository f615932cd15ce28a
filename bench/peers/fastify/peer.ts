import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { BenchEstate } from '../../estate/shape.ts'
import { end } from '../../processes.ts'
import type { Place, PlainRequest, Work } from '../../work.ts'
import type { Peer, RunningPeer } from '../peer.ts'
import type { ResponseReaders } from '../shared/check.ts'
import { checked } from '../shared/checked.ts'
import { newName, tokenOf } from '../shared/estate.ts'
import { freshData, peerFolder } from '../shared/folders.ts'
import { fillSqlite } from '../shared/rows.ts'
import { freePort, startServer } from '../shared/server.ts'
import { tables } from './data.ts'

const here = import.meta.dirname

/** Runs on this project's Fastify and Node, so nothing is installed. */
export const fastify: Peer = {
  name: 'Fastify + SQLite by hand',
  async start(estate, progress) {
    const folder = await freshData('fastify', estate, async (made) => {
      progress('filling its database')
      const file = join(made, 'data.db')
      const db = new DatabaseSync(file)
      db.exec(readFileSync(join(here, 'schema.sql'), 'utf8'))
      db.close()
      fillSqlite(file, tables(estate))
    })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const child = await startServer({
      command: process.execPath,
      args: [join(here, 'server.ts'), join(folder, 'data.db'), String(port)],
      cwd: folder,
      env: {},
      log: join(peerFolder('fastify'), 'server.log'),
      health: `${url}/health`,
    })
    const peer: RunningPeer = {
      url,
      pid: child.pid ?? 0,
      version: JSON.parse(readFileSync(join(here, '../../../node_modules/fastify/package.json'), 'utf8')).version,
      requestFor: (work, place) => requestFor(estate, work, place),
      subscriptionIn: (body) => JSON.parse(body).id,
      stop: () => end(child),
    }
    return checked(peer, readers, estate, folder)
  },
}

function requestFor(estate: BenchEstate, work: Work, place: Place): PlainRequest | undefined {
  const facility = `/facilities/${estate.facility(place.facility).idExternal}`
  const services = `/areas/${estate.area(place.facility, place.area).fullId}/services`
  const headers = { authorization: `Bearer ${tokenOf(place.partner)}` }
  const json = { ...headers, 'content-type': 'application/json' }
  const { code, label, status, start, end } = estate.subscription(place.facility, place.area, place.turn)
  switch (work) {
    case 'R1':
      return { method: 'GET', path: '/facilities', headers }
    case 'R2':
      return { method: 'GET', path: facility, headers }
    case 'R3':
      return { method: 'GET', path: `${facility}/areas`, headers }
    case 'R4':
      return { method: 'GET', path: `${facility}/list`, headers }
    case 'W1': {
      const body = JSON.stringify({ value: newName(estate, place.facility, place.turn) })
      return { method: 'PATCH', path: `${facility}/name`, headers: json, body }
    }
    case 'W2':
      return {
        method: 'POST',
        path: services,
        headers: json,
        body: JSON.stringify({ code, label, status, start, end }),
      }
    case 'W3':
      return { method: 'DELETE', path: `${services}/${place.subscription}`, headers }
    default:
      return undefined
  }
}

type ShownArea = { id_external: string; name: string; data_services: { code: string }[] }

const readers: ResponseReaders = {
  facilities: (body) => body as ReturnType<ResponseReaders['facilities']>,
  facility: (body) => body as Record<string, unknown>,
  areas: (body) =>
    (body as ShownArea[]).map(({ id_external, name, data_services }) => ({
      id_external,
      name,
      codes: data_services.map(({ code }) => code),
    })),
  entries: (body) =>
    (body as { areas_autocomplete_list: ReturnType<ResponseReaders['entries']> }).areas_autocomplete_list,
}
