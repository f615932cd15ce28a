import { parentPort, workerData } from 'node:worker_threads'
import { EstateFaults, type EstateItem, faultList } from '../../../domain/estate.ts'
import { readEstate } from '../../../estate/read.ts'

// Parses and checks an estate file in a worker thread. It posts one string with a JSON document per line: first the
// outline, with its faults and the number of facilities, areas and partners, then one line per facility or partner.
const { text, limits } = JSON.parse(workerData)
const facilities: string[] = []
const partners: string[] = []
let entries = 0
const input = { bytes: Buffer.byteLength(text), chunks: () => [text.replace(/^\uFEFF/, '')], close: () => {} }
const sink = {
  add: (item: EstateItem) => {
    entries += 1 + (item.kind === 'facility' ? (item.facility.areas?.length ?? 0) : 0)
    const list = item.kind === 'facility' ? facilities : partners
    list.push(`\n${JSON.stringify(item)}`)
  },
  clear: () => {
    entries = 0
    facilities.length = 0
    partners.length = 0
  },
}
parentPort?.postMessage([JSON.stringify(await outlined()), ...facilities, ...partners].join(''))

async function outlined(): Promise<object> {
  try {
    const outline = await readEstate(input, { limits, progress: () => {} }, sink, faultList())
    return { outline, entries, faults: [] }
  } catch (error) {
    if (!(error instanceof EstateFaults)) throw error
    sink.clear()
    return { faults: error.faults }
  }
}
