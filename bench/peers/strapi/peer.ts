import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { end } from '../../processes.ts'
import type { Peer, RunningPeer } from '../peer.ts'
import { checked } from '../shared/checked.ts'
import { freshData, peerFolder, sourceFolder } from '../shared/folders.ts'
import { install, installedVersion, nodeOf } from '../shared/install.ts'
import { fillSqlite } from '../shared/rows.ts'
import { freePort, startServer } from '../shared/server.ts'
import { tables } from './data.ts'
import { readers, requestsFor, subscriptionIn } from './requests.ts'

/**
 * The package better-sqlite3 contains no binary. Compiled with the headers of Node 24.21 it crashes the process when its
 * first statement is collected, so Strapi brings a Node 22, which it supports as well.
 */
const compiled = ['better-sqlite3']

export const strapi: Peer = {
  name: 'Strapi, SQLite',
  async start(estate, progress) {
    const installed = await install('strapi', progress, compiled)
    const app = freshApp()
    const folder = await freshData('strapi', estate, async (made) => {
      progress('making its tables')
      const { child } = await serve(app, join(made, 'data.db'))
      await end(child)
      progress('filling its database')
      fillSqlite(join(made, 'data.db'), tables(estate))
    })
    const { url, child } = await serve(app, join(folder, 'data.db'))
    const peer: RunningPeer = {
      url,
      pid: child.pid ?? 0,
      version: installedVersion(installed, '@strapi/strapi'),
      requestFor: requestsFor(estate),
      subscriptionIn,
      stop: () => end(child),
    }
    return checked(peer, readers, estate, folder)
  },
}

/** Strapi needs its project beside its packages, and writes into it. */
function freshApp(): string {
  const app = join(peerFolder('strapi'), 'app')
  rmSync(app, { recursive: true, force: true })
  cpSync(join(sourceFolder('strapi'), 'app'), app, { recursive: true })
  mkdirSync(join(app, 'public', 'uploads'), { recursive: true })
  return app
}

async function serve(app: string, file: string) {
  const folder = peerFolder('strapi')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startServer({
    command: nodeOf(folder),
    args: [join(folder, 'node_modules', '@strapi', 'strapi', 'bin', 'strapi.js'), 'start'],
    cwd: app,
    env: { PORT: String(port), DATABASE_FILENAME: file, STRAPI_TELEMETRY_DISABLED: 'true' },
    log: join(folder, 'server.log'),
    health: `${url}/_health`,
  })
  return { url, child }
}
