import assert from 'node:assert/strict'
import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { startService } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { startAtrium } from '../harness/atrium.ts'
import { certificates } from '../harness/certificates.ts'
import { freshDatabase } from '../harness/databases.ts'
import { type OwnPostgres, startPostgres } from '../harness/postgres-server.ts'
import { until } from '../harness/workers.ts'

const own = certificates.first

describe('a PostgreSQL that speaks TLS', () => {
  let postgres: OwnPostgres
  before(async () => {
    postgres = await startPostgres()
    await encrypt(postgres)
  })
  after(() => postgres?.stop())

  const trusting = (certificate: string) => {
    const file = join(postgres.server.data, 'trusted.pem')
    writeFileSync(file, certificate, { mode: 0o644 })
    return `sslmode=verify-full&sslrootcert=${file}`
  }
  const settings: [string, () => string, boolean][] = [
    ['in the clear, when nothing is said', () => '', false],
    ['in the clear, when that is enough', () => 'sslmode=allow', false],
    ['encrypted, without a check of the certificate', () => 'sslmode=no-verify', true],
    ['encrypted, when it can be', () => 'sslmode=prefer', true],
    ['encrypted because it is required, without a check of the certificate', () => 'sslmode=require', true],
    ['encrypted, when its certificate is trusted', () => trusting(own.certificate), true],
  ]
  for (const [how, setting, isEncrypted] of settings) {
    it(`is spoken to ${how}`, async () => {
      const database = { url: `${postgres.url}?${setting()}` }
      const atrium = await startAtrium('postgres', { database, seeded: true })
      const renamed = await atrium.ask('PATCH /v1/facilities/lyon-01/name', { as: 'everything', body: { value: how } })
      const read = await atrium.ask('GET /v1/facilities/lyon-01', { as: 'everything' })
      const areas = await atrium.ask('GET /v1/facilities/lyon-01/areas', { as: 'everything' })
      assert.deepEqual([renamed.status, read.status, read.body.name, areas.status], [200, 200, how, 200])
      assert.deepEqual(await encryptions(postgres), [isEncrypted])
      await atrium.stop()
    })
  }

  const refusals: [string, () => string, RegExp][] = [
    ['its certificate is another', () => trusting(certificates.second.certificate), /certificate/],
    ['the certificate authority is unknown', () => 'sslmode=verify-full', /sslrootcert/],
    ['a mode is meant that there is not', () => 'sslmode=always', /sslmode in ATRIUM_DATABASE must be one of/],
  ]
  for (const [when, setting, reason] of refusals) {
    it(`is not spoken to when ${when}`, async () => {
      await assert.rejects(start(`${postgres.url}?${setting()}`), reason)
    })
  }
})

describe('a PostgreSQL that speaks no TLS', () => {
  it('is spoken to in the clear when encryption is only preferred, and refused when it is required', async () => {
    const { url, drop } = await freshDatabase('postgres')
    const service = await start(`${url}?sslmode=prefer`)
    await service.close()
    await assert.rejects(start(`${url}?sslmode=require`), /speaks no TLS/)
    await drop()
  })
})

function start(url: string) {
  return startService(readConfig({ ATRIUM_DATABASE: url, ATRIUM_PORT: '0', ATRIUM_LOG: 'fatal' }))
}

async function encrypt({ url, server }: OwnPostgres): Promise<void> {
  const { uid, gid } = statSync(server.data)
  for (const [name, text] of Object.entries({ 'server.crt': own.certificate, 'server.key': own.key })) {
    const file = join(server.data, name)
    writeFileSync(file, text)
    chmodSync(file, 0o600)
    chownSync(file, uid, gid)
  }
  await asked(url, 'alter system set ssl = on')
  await asked(url, 'select pg_reload_conf()')
  await until('the server speaks TLS', async () => {
    return asked(`${url}?sslmode=no-verify`, 'select 1').catch(() => undefined)
  })
}

/** Returns the distinct values of whether a connection of Atrium is encrypted. */
async function encryptions({ url }: OwnPostgres): Promise<boolean[]> {
  const rows = await asked(
    url,
    `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'atrium'`,
  )
  return rows.map(({ ssl }) => ssl)
}

async function asked(url: string, sql: string): Promise<{ ssl: boolean }[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
