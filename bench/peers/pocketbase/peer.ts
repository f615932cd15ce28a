import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchEstate } from '../../estate/shape.ts'
import { end } from '../../processes.ts'
import type { Peer, RunningPeer } from '../peer.ts'
import { checked } from '../shared/checked.ts'
import { freshData, peerFolder } from '../shared/folders.ts'
import { fillSqlite } from '../shared/rows.ts'
import { freePort, startServer } from '../shared/server.ts'
import { adminApi, adminArguments } from './api.ts'
import { pocketbaseBinary } from './binary.ts'
import { collections } from './collections.ts'
import { idOf, tables } from './data.ts'
import { readers, requestsFor } from './requests.ts'

export const pocketbase: Peer = {
  name: 'PocketBase',
  async start(estate, progress) {
    const { file, version } = await pocketbaseBinary(progress)
    const folder = await freshData('pocketbase', estate, (made) => makeData(file, made, estate, progress))
    const { url, child } = await serve(file, folder)
    const tokens: string[] = JSON.parse(readFileSync(join(folder, 'tokens.json'), 'utf8'))
    const peer: RunningPeer = {
      url,
      pid: child.pid ?? 0,
      version,
      requestFor: requestsFor(estate, tokens),
      subscriptionIn: (body) => JSON.parse(body).id,
      stop: () => end(child),
    }
    return checked(peer, readers, estate, folder)
  },
}

async function serve(file: string, folder: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startServer({
    command: file,
    args: ['serve', `--http=127.0.0.1:${port}`, ...common(folder)],
    cwd: folder,
    env: {},
    log: join(peerFolder('pocketbase'), 'server.log'),
    health: `${url}/api/health`,
  })
  return { url, child }
}

const common = (folder: string) => [`--dir=${join(folder, 'data')}`, '--dev=false', '--automigrate=false']

/** Below this, requests are not written to PocketBase's log: the level "error". */
const logs = { minLevel: 8, maxDays: 5 }
const yearSeconds = 365 * 86_400

async function makeData(file: string, folder: string, estate: BenchEstate, progress: (line: string) => void) {
  progress('making its collections')
  execFileSync(file, [...adminArguments, ...common(folder)], { cwd: folder, stdio: 'ignore' })
  await withServer(file, folder, async (api) => {
    await api('PUT', '/collections/import', { collections, deleteMissing: false })
    await api('PATCH', '/settings', { logs })
  })
  progress('filling its database')
  fillSqlite(join(folder, 'data', 'data.db'), tables(estate))
  progress('issuing its tokens')
  await withServer(file, folder, async (api) => {
    const tokens: unknown[] = []
    for (let partner = 0; partner < estate.partners; partner++) {
      const path = `/collections/partners/impersonate/${idOf('p', partner + 1)}`
      tokens.push((await api('POST', path, { duration: yearSeconds })).token)
    }
    writeFileSync(join(folder, 'tokens.json'), JSON.stringify(tokens))
  })
}

async function withServer(file: string, folder: string, use: (api: Awaited<ReturnType<typeof adminApi>>) => unknown) {
  const { url, child } = await serve(file, folder)
  try {
    await use(await adminApi(url))
  } finally {
    await end(child)
  }
}
