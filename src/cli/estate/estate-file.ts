import type { Limits } from '../../config.ts'
import { type EstateItem, faultList } from '../../domain/estate.ts'
import { parseExactly } from '../../domain/exact-json.ts'
import { type Input, openInput } from '../../estate/input.ts'
import { readEstate } from '../../estate/read.ts'
import { openSpool, type Spool } from '../../estate/spool.ts'
import type { WantedEstate } from '../../operations/estate/estate-context.ts'
import { readingFailure } from './file-failure.ts'

/** A parsed and validated estate file (YAML). */
export interface EstateFile extends WantedEstate {
  itemCount: number
}

/**
 * Parses and validates the whole file, and then calls `work`, which opens the database. Keeps the items in temporary
 * files, so that no transaction is open while a slow pipe or a long file is read. Throws EstateFaults if there are
 * faults.
 */
export async function withEstateFile<T>(
  path: string,
  limits: Limits,
  progress: (part: number) => void,
  work: (estate: EstateFile) => Promise<T>,
): Promise<T> {
  const input = await openFile(path)
  const facilities = openSpool()
  const partners = openSpool()
  try {
    return await work(await spooled(input, limits, progress, facilities, partners))
  } finally {
    for (const file of [input, facilities, partners]) file.close()
  }
}

async function spooled(
  input: Input,
  limits: Limits,
  progress: (part: number) => void,
  facilities: Spool,
  partners: Spool,
): Promise<EstateFile> {
  const sink = {
    add: (item: EstateItem) => (item.kind === 'facility' ? facilities : partners).add(JSON.stringify(item)),
    clear: () => {
      facilities.clear()
      partners.clear()
    },
  }
  const outline = await readEstate(input, { limits, progress }, sink, faultList())
  function* items(): Generator<EstateItem> {
    for (const spool of [facilities, partners]) for (const line of spool.lines()) yield parseExactly(line) as EstateItem
  }
  return { ...outline, items, itemCount: facilities.count + partners.count }
}

async function openFile(path: string): Promise<Input> {
  try {
    return await openInput(path, process.stdin)
  } catch (error) {
    throw readingFailure(path, error)
  }
}
