import { join } from 'node:path'
import { serveAtrium } from '../atrium.ts'
import { end } from '../processes.ts'
import { askAtrium } from '../requests.ts'
import type { Side } from './back-to-back.ts'
import type { Ground } from './context.ts'

/** Starts a server on a database. */
export async function serve(
  { context, database }: Ground,
  settings: Record<string, string> = {},
): Promise<Side & { stop(): Promise<void> }> {
  const { estate, databases, folder } = context
  const log = ['serve', ...Object.values(settings)].join('-')
  const serving = await serveAtrium(database, join(folder, `${log}.log`), { settings })
  const subject = { ...serving, asking: askAtrium(estate, databases.made.tokens) }
  return { context, subject, stop: () => end(serving.child) }
}
