import type { Limits } from '../../config.ts'
import { faultList } from '../../domain/estate.ts'
import { type Input, openInput } from '../../estate/input.ts'
import { itemSink, itemsIn } from '../../estate/items.ts'
import { readEstate } from '../../estate/read.ts'
import { openSpool } from '../../estate/spool.ts'
import type { WantedEstate } from '../../operations/estate/estate-context.ts'
import { readingFailure } from './file-failure.ts'

interface EstateFile extends WantedEstate {
  itemCount: number
}

/** Validates the whole estate file into temporary files before `work`, so that no transaction waits for a pipe. */
export async function withEstateFile<T>(
  path: string,
  limits: Limits,
  progress: (part: number) => void,
  work: (estate: EstateFile) => Promise<T>,
): Promise<T> {
  const input = await openFile(path)
  const spools = { facilities: openSpool(), partners: openSpool() }
  try {
    const outline = await readEstate(input, { limits, progress }, itemSink(spools), faultList())
    const itemCount = spools.facilities.count + spools.partners.count
    return await work({ ...outline, items: () => itemsIn(spools), itemCount })
  } finally {
    for (const file of [input, spools.facilities, spools.partners]) file.close()
  }
}

async function openFile(path: string): Promise<Input> {
  try {
    return await openInput(path, process.stdin)
  } catch (error) {
    throw readingFailure(path, error)
  }
}
