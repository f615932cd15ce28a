import { EstateFaults, type EstateItem, faultList } from '../../src/domain/estate.ts'
import { readEstate } from '../../src/estate/read.ts'

export const limits = { listEntries: 10_000, jsonDepth: 32 }

export interface Read {
  items: EstateItem[]
  present: { facilities: boolean; partners: boolean }
  highestFacilityId: number
}

/** Reads an estate that arrives in chunks of the given length. */
export async function read(text: string, chunkLength = Infinity): Promise<Read> {
  const items: EstateItem[] = []
  const input = {
    bytes: Buffer.byteLength(text),
    chunks: function* () {
      for (let at = 0; at < text.length; at += chunkLength) yield text.slice(at, at + chunkLength)
    },
    close: () => {},
  }
  const sink = { add: (item: EstateItem) => void items.push(item), clear: () => void items.splice(0) }
  const outline = await readEstate(input, { limits, progress: () => {} }, sink, faultList())
  return { ...outline, items }
}

/** Returns the faults as `line: message`; none when the text is valid. */
export async function faultsOf(text: string): Promise<string[]> {
  try {
    await read(text)
    return []
  } catch (error) {
    if (error instanceof EstateFaults) return error.faults.map(({ line, message }) => `${line}: ${message}`)
    throw error
  }
}
