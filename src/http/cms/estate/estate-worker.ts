import { parentPort, workerData } from 'node:worker_threads'
import { EstateFaults, type EstateItem, faultList } from '../../../domain/estate.ts'
import { inputFrom } from '../../../estate/input.ts'
import { readEstate } from '../../../estate/read.ts'
import { openSpool } from '../../../estate/spool.ts'

// Runs in a worker thread: parses and validates an estate file. Writes each facility as a line to one temporary file,
// and each partner to another. Sends the main thread the numbers of facilities, areas and partners, or the faults.
const { file, facilitiesFile, partnersFile, limits } = workerData
const owned = (fd: number) => ({ fd, close: () => {} })
const facilities = openSpool(owned(facilitiesFile))
const partners = openSpool(owned(partnersFile))
let entries = 0
const sink = {
  add: (item: EstateItem) => {
    entries += 1 + (item.kind === 'facility' ? (item.facility.areas?.length ?? 0) : 0)
    const spool = item.kind === 'facility' ? facilities : partners
    spool.add(JSON.stringify(item))
  },
  clear: () => {
    entries = 0
    facilities.clear()
    partners.clear()
  },
}
parentPort?.postMessage(await outlined())

async function outlined(): Promise<object> {
  try {
    const outline = await readEstate(inputFrom(owned(file)), { limits, progress: () => {} }, sink, faultList())
    facilities.flush()
    partners.flush()
    return { outline, entries, faults: [] }
  } catch (error) {
    if (!(error instanceof EstateFaults)) throw error
    return { faults: error.faults }
  }
}
