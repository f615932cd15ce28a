import { parentPort, workerData } from 'node:worker_threads'
import { EstateFaults, type EstateItem, faultList } from '../../../domain/estate.ts'
import { inputFrom } from '../../../estate/input.ts'
import { itemSink } from '../../../estate/items.ts'
import { readEstate } from '../../../estate/read.ts'
import { openSpool } from '../../../estate/spool.ts'

// Runs in a worker thread: parses and validates an estate file, and writes each item as a line to a temporary file.
const { file, facilitiesFile, partnersFile, limits } = workerData
const owned = (fd: number) => ({ fd, close: () => {} })
const spools = { facilities: openSpool(owned(facilitiesFile)), partners: openSpool(owned(partnersFile)) }
const { add, clear } = itemSink(spools)
let entries = 0
const sink = {
  add: (item: EstateItem) => {
    entries += 1 + (item.kind === 'facility' ? (item.facility.areas?.length ?? 0) : 0)
    add(item)
  },
  clear: () => {
    entries = 0
    clear()
  },
}
parentPort?.postMessage(await outlined())

async function outlined(): Promise<object> {
  try {
    const outline = await readEstate(inputFrom(owned(file)), { limits, progress: () => {} }, sink, faultList())
    spools.facilities.flush()
    spools.partners.flush()
    return { outline, entries, faults: [] }
  } catch (error) {
    if (!(error instanceof EstateFaults)) throw error
    return { faults: error.faults }
  }
}
