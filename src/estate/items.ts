import type { EstateItem } from '../domain/estate.ts'
import { parseExactly } from '../domain/exact-json.ts'
import type { Sink } from './reading.ts'
import type { Spool } from './spool.ts'

/** The items of an estate file, in two temporary files: facilities are applied first, but the file can have them last. */
interface ItemSpools {
  facilities: Spool
  partners: Spool
}

export function itemSink({ facilities, partners }: ItemSpools): Sink {
  return {
    add: (item) => (item.kind === 'facility' ? facilities : partners).add(JSON.stringify(item)),
    clear: () => {
      facilities.clear()
      partners.clear()
    },
  }
}

export function* itemsIn({ facilities, partners }: ItemSpools): Generator<EstateItem> {
  for (const spool of [facilities, partners]) for (const line of spool.lines()) yield parseExactly(line) as EstateItem
}
