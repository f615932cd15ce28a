import { join } from 'node:path'
import { end } from '../../processes.ts'
import { peerFolder } from '../shared/folders.ts'
import { run } from '../shared/run.ts'
import { freePort, startServer } from '../shared/server.ts'
import { collections, relations, role } from './schema.ts'
import { adminToken, settings } from './settings.ts'

const program = () => join(peerFolder('directus'), 'node_modules', 'directus', 'cli.js')

export async function serve(folder: string, database: Record<string, string>) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = await startServer({
    command: process.execPath,
    args: [program(), 'start'],
    cwd: folder,
    env: settings(port, database),
    log: join(peerFolder('directus'), 'server.log'),
    health: `${url}/server/ping`,
  })
  return { url, child }
}

/** Creates Directus' own tables, then the estate's through its API. Returns the id of the partners' role. */
export async function makeSchema(folder: string, database: Record<string, string>): Promise<string> {
  const env = { ...process.env, NODE_ENV: 'production', ...settings(0, database) }
  await run(process.execPath, [program(), 'bootstrap'], { cwd: folder, env })
  const { url, child } = await serve(folder, database)
  try {
    for (const collection of collections) await post(url, '/collections', collection)
    for (const relation of relations) await post(url, '/relations', relation)
    return (await post(url, '/roles', role)).data.id
  } finally {
    await end(child)
  }
}

async function post(url: string, path: string, body: unknown): Promise<{ data: { id: string } }> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const received = await response.text()
  if (!response.ok) throw new Error(`POST ${path} responds ${response.status}: ${received.slice(0, 300)}`)
  return JSON.parse(received)
}
