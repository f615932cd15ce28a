import { globSync, readFileSync } from 'node:fs'
import { Client } from 'pg'

/** Returns everything that a database holds: the bytes of SQLite's files, every row of every table on PostgreSQL. */
export async function allText(databaseUrl: string): Promise<string> {
  return databaseUrl.startsWith('sqlite:') ? filesOf(databaseUrl.slice('sqlite:'.length)) : rowsOf(databaseUrl)
}

function filesOf(path: string): string {
  return globSync(`${path}*`)
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n')
}

async function rowsOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const tables = await client.query(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
    )
    const texts = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query(`select t::text as row from ${name} t`)
      texts.push(name, ...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}
