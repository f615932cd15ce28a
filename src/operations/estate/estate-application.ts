import type { Actor } from '../../domain/audit/audit.ts'
import type { EstateItem, FaultList } from '../../domain/estate.ts'
import type { Difference, EstateTally } from '../../domain/estate-difference.ts'
import type { Facility } from '../../domain/facility.ts'
import type { Tx } from '../../storage/engine.ts'

/** An estate as it is wanted, checked for all that can be seen without the database. */
export interface WantedEstate {
  /** Facilities first, each id once. It is gone through more than once. */
  items(): AsyncIterable<EstateItem> | Iterable<EstateItem>
  /** Which of the two lists there are: one that is absent is left alone, pruned or not. */
  names: { facilities: boolean; partners: boolean }
  /** Of the numbers that are given, so that those to be assigned are above them. */
  highestFacilityId: number
}

/** A list in which a full id may have got two meanings. */
export interface DoubtfulList {
  facility: Pick<Facility, 'id' | 'idExternal'>
  /** Of the change. */
  line: number | undefined
  /** Otherwise areas were created elsewhere. */
  isReplaced: boolean
}

/** What the parts of one run share. */
export interface Application {
  tx: Tx
  /** On whose behalf. */
  actor: Actor
  now: string
  tally: EstateTally
  faults: FaultList
  note(difference: Difference): void
  /** So many more areas are as they are wanted. */
  areasDone(count: number): void
  nextFacilityId(): number
  /** By the number of their facility. */
  doubtfulLists: Map<number, DoubtfulList>
}

export type FacilityItem = Extract<EstateItem, { kind: 'facility' }>
export type PartnerItem = Extract<EstateItem, { kind: 'partner' }>

/** A facility of the file with the one that it is, or becomes, in the database. */
export interface FacilityPair {
  item: FacilityItem
  facility: Facility
  isNew: boolean
  differences: Difference[]
}

const batchItems = 64
const batchAreas = 2048

/** Enough items at a time to make the queries worth it, and not more than memory should hold. */
export async function* batches(
  items: AsyncIterable<EstateItem> | Iterable<EstateItem>,
  areasAtOnce = batchAreas,
): AsyncGenerator<EstateItem[]> {
  let batch: EstateItem[] = []
  let areas = 0
  for await (const item of items) {
    batch.push(item)
    if (item.kind === 'facility') areas += item.facility.areas?.length ?? 0
    if (batch.length < batchItems && areas < areasAtOnce) continue
    yield batch
    batch = []
    areas = 0
  }
  if (batch.length > 0) yield batch
}
