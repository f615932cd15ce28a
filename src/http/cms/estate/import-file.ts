import type { Limits } from '../../../config.ts'
import { type EstateFault, EstateFaults } from '../../../domain/estate.ts'
import { itemsIn } from '../../../estate/items.ts'
import { openSpool } from '../../../estate/spool.ts'
import { openTemporaryFile, type TemporaryFile } from '../../../estate/temporary.ts'
import type { WantedEstate } from '../../../operations/estate/estate-context.ts'
import { runInThread } from '../../../operations/run-in-thread.ts'

/** A parsed and validated estate file. Its items are in temporary files, which `close` removes. */
interface ImportFile {
  wanted: WantedEstate
  /** The number of all facilities, areas and partners in the file. */
  entries: number
  close(): void
}

interface Parsed {
  outline: Omit<WantedEstate, 'items'>
  entries: number
  faults: EstateFault[]
}

/** Parses the file in a worker thread, which keeps the event loop free. Throws EstateFaults if the file has faults. */
export async function parseImport(file: TemporaryFile, limits: Limits): Promise<ImportFile> {
  const [facilitiesFile, partnersFile] = [openTemporaryFile(), openTemporaryFile()]
  const close = () => {
    for (const one of [file, facilitiesFile, partnersFile]) one.close()
  }
  try {
    const data = { file: file.fd, facilitiesFile: facilitiesFile.fd, partnersFile: partnersFile.fd, limits }
    const { outline, entries, faults } = await runInThread<Parsed>(new URL('./estate-worker.ts', import.meta.url), data)
    if (faults.length > 0) throw new EstateFaults(faults)
    const spools = { facilities: openSpool(facilitiesFile), partners: openSpool(partnersFile) }
    return { wanted: { ...outline, items: () => itemsIn(spools) }, entries, close }
  } catch (error) {
    close()
    throw error
  }
}
