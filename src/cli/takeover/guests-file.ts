import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { EstateFaults } from '../../domain/estate.ts'
import { applyEstate } from '../../operations/estate/apply-estate.ts'
import { mirrorRooms } from '../../operations/takeover/mirror-facility.ts'
import { migrate } from '../../storage/migrate.ts'
import { Notes } from '../../takeover/notes.ts'
import type { PullState } from '../../takeover/pull-state.ts'
import { pulledEstate } from '../../takeover/pulled-estate.ts'
import { saveDatabase } from '../estate/backup.ts'
import { Failure } from '../failure.ts'
import { escapeControls } from '../output.ts'
import { withOpenDatabase } from '../with-database.ts'

const silent = { begin: () => {}, difference: () => {}, itemDone: () => {} }

/**
 * Writes a backup of the rooms and their guests. First stores them in a temporary database, so that the backup holds
 * exactly what Atrium would store. Adds notes about everything else.
 */
export async function writeGuests(
  config: Config,
  state: PullState,
  timezone: string | undefined,
  file: string,
  notes: Notes,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-pull-'))
  const { limits, eventEndingSeconds: endingSeconds } = config
  try {
    await withOpenDatabase({ ...config, database: `sqlite:${join(folder, 'guests.db')}` }, async (db) => {
      await migrate(db)
      const numbers = [...state.facilities()].map(({ facility }) => facility?.id ?? 0)
      const wanted = {
        items: () => pulledEstate(state, timezone, new Notes()),
        present: { facilities: true, partners: true },
        highestFacilityId: numbers.reduce((highest, number) => Math.max(highest, number), 0),
      }
      await applyEstate(db, wanted, { dryRun: false, prune: false }, silent)
      for (const { id, rooms } of state.facilities()) {
        const { left } = await mirrorRooms(db, id, new Map(rooms), { limits, endingSeconds })
        for (const { room, why } of left) notes.add(why, room)
      }
      await saveDatabase(db, file)
    })
  } catch (error) {
    if (!(error instanceof EstateFaults)) throw error
    throw new Failure(escapeControls(`cannot write ${file}: ${error.faults.map(({ message }) => message).join('; ')}`))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
