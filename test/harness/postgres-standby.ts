import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { PostgresInstance } from './postgres-instance.ts'
import { unprivileged } from './postgres-program.ts'

const name = 'standby'

/** Copies a running server, and starts the copy as its standby, or as that of another standby. */
export async function follow(primary: PostgresInstance, standby: PostgresInstance, source = primary): Promise<void> {
  await copyWhileItRuns(primary, standby.data)
  const { hostname, port, username, password } = new URL(source.url)
  const address = `host=${hostname} port=${port} user=${username} password=${password} application_name=${name}`
  own(standby.data, 'postgresql.auto.conf', `primary_conninfo = '${address}'\n`)
  own(standby.data, 'standby.signal', '')
  await standby.start()
}

/** Like `follow`, but as its synchronous standby. */
export async function followSynchronously(primary: PostgresInstance, standby: PostgresInstance): Promise<void> {
  await follow(primary, standby)
  await primary.query(`alter system set synchronous_standby_names = '${name}'`)
  await primary.query('select pg_reload_conf()')
  const isInStep = async () =>
    (await primary.query("select from pg_stat_replication where sync_state = 'sync'")).length > 0
  while (!(await isInStep())) await sleep(50)
}

/** Takes a base backup by file copy, because pg_basebackup is not part of the tests' PostgreSQL. */
async function copyWhileItRuns(primary: PostgresInstance, data: string): Promise<void> {
  const client = new Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query("select pg_backup_start('copy', true)")
    fs.rmSync(data, { recursive: true, force: true })
    // Files that disappear during the copy are restored from the write-ahead log on the first start.
    spawnSync('cp', ['-a', primary.data, data])
    for (const file of fs.readdirSync(join(data, 'pg_wal'), { withFileTypes: true })) {
      if (file.isFile()) fs.rmSync(join(data, 'pg_wal', file.name))
    }
    for (const file of ['postmaster.pid', 'postmaster.opts']) fs.rmSync(join(data, file), { force: true })
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    own(data, 'backup_label', rows[0].labelfile)
  } finally {
    await client.end()
  }
}

function own(data: string, file: string, text: string): void {
  const path = join(data, file)
  fs.writeFileSync(path, text)
  const owner = unprivileged()
  if (owner) fs.chownSync(path, owner.uid, owner.gid)
}
