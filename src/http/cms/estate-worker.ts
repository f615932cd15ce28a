import { parentPort, workerData } from 'node:worker_threads'
import { EstateFaults, faultList } from '../../domain/estate.ts'
import { readEstate } from '../../estate/read.ts'

// Reads and checks an estate file. What it posts are lines of JSON: the outline with its faults, then the items.
const { text, limits } = JSON.parse(workerData)
const facilities: string[] = []
const partners: string[] = []
const input = { bytes: Buffer.byteLength(text), chunks: () => [text.replace(/^\uFEFF/, '')], close: () => {} }
const sink = {
  add: (item: { kind: string }) =>
    void (item.kind === 'facility' ? facilities : partners).push(`\n${JSON.stringify(item)}`),
  clear: () => {
    facilities.length = 0
    partners.length = 0
  },
}
parentPort?.postMessage([JSON.stringify(await outlined()), ...facilities, ...partners].join(''))

async function outlined(): Promise<object> {
  try {
    return { outline: await readEstate(input, { limits, progress: () => {} }, sink, faultList()), faults: [] }
  } catch (error) {
    if (!(error instanceof EstateFaults)) throw error
    sink.clear()
    return { faults: error.faults }
  }
}
