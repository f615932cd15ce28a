import type { Actor } from '../../domain/audit/audit.ts'
import type { EstateItem, FaultList } from '../../domain/estate.ts'
import type { Difference, EstateTally } from '../../domain/estate-difference.ts'
import type { Facility } from '../../domain/facility.ts'
import type { Tx } from '../../storage/engine.ts'

/** The content of an estate file, validated as far as is possible without the database. */
export interface WantedEstate {
  /** Yields all facilities, then all partners, each of them once. Can be called repeatedly. */
  items(): AsyncIterable<EstateItem> | Iterable<EstateItem>
  /** The sections that the file has. If it has no section of facilities, pruning keeps all; likewise for partners. */
  present: { facilities: boolean; partners: boolean }
  /** The highest numeric facility id in the file. Facilities that are created without an id get higher ones. */
  highestFacilityId: number
}

/** An autocomplete list that might have an entry with the full id of a room in another facility. */
interface SuspectList {
  facility: Pick<Facility, 'id' | 'idExternal'>
  /** The line of the estate file that replaces the list or creates the areas. */
  line: number | undefined
  /** Whether the list itself was replaced. If false, the list is suspect because another facility got new areas. */
  isReplaced: boolean
}

/**
 * What all steps of one change of the estate (facilities, areas, partners) share, such as its transaction and faults.
 */
export interface EstateContext {
  tx: Tx
  actor: Actor
  now: string
  tally: EstateTally
  faults: FaultList
  note(difference: Difference): void
  /** Reports that `count` more areas have been written, for the display of progress. */
  areasDone(count: number): void
  nextFacilityId(): number
  /** The lists by the numeric id of their facility. They are checked after all changes have been made. */
  suspectLists: Map<number, SuspectList>
}

export type FacilityItem = Extract<EstateItem, { kind: 'facility' }>
export type PartnerItem = Extract<EstateItem, { kind: 'partner' }>

/** A facility of the estate file, with its row in the database. If `isNew`, the change inserts this row. */
export interface FacilityPair {
  item: FacilityItem
  facility: Facility
  isNew: boolean
  differences: Difference[]
}

const itemsPerBatch = 64
const areasPerBatch = 2048

/** Yields the items of an estate file in batches: large enough for efficient queries, small enough for the memory. */
export async function* batches(
  items: AsyncIterable<EstateItem> | Iterable<EstateItem>,
  maxAreas = areasPerBatch,
): AsyncGenerator<EstateItem[]> {
  let batch: EstateItem[] = []
  let areas = 0
  for await (const item of items) {
    batch.push(item)
    if (item.kind === 'facility') areas += item.facility.areas?.length ?? 0
    if (batch.length < itemsPerBatch && areas < maxAreas) continue
    yield batch
    batch = []
    areas = 0
  }
  if (batch.length > 0) yield batch
}
