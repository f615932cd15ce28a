import type { EstateItem, FaultList } from '../domain/estate.ts'
import { isObject } from '../domain/json.ts'
import { copyText } from '../domain/text.ts'
import type { Report } from './check.ts'
import { type CheckLimits, facilityCheck } from './check-facility.ts'
import { partnerCheck } from './check-partner.ts'
import { type Parsed, type Path, SyntaxFault } from './parse.ts'
import {
  isSection,
  maxWholeLength,
  NotSplittable,
  type Piece,
  type Section,
  sections,
  type TextPiece,
} from './piece.ts'

/** A summary of an estate file, which is complete when the file has been read to its end. */
export interface Outline {
  /** Whether the file has each section. Without `partners`, for example, even `--prune` removes no partner. */
  present: Record<Section, boolean>
  highestFacilityId: number
}

export interface Sink {
  add(item: EstateItem): void
  /** Discards all facilities and partners that were added, because the file is read again from its start. */
  clear(): void
}

export interface Reading extends Outline {
  sink: Sink
  faults: FaultList
  checkFacility: ReturnType<typeof facilityCheck>
  checkPartner: ReturnType<typeof partnerCheck>
  counts: Record<Section, number>
  /** The line on which each id and each facility number occurred, to report duplicates. */
  seen: Record<'facility' | 'number' | 'partner', Map<unknown, number>>
}

export function newReading(limits: CheckLimits, sink: Sink, faults: FaultList): Reading {
  return {
    present: { facilities: false, partners: false },
    highestFacilityId: 0,
    sink,
    faults,
    checkFacility: facilityCheck(limits),
    checkPartner: partnerCheck(limits),
    counts: { facilities: 0, partners: 0 },
    seen: { facility: new Map(), number: new Map(), partner: new Map() },
  }
}

export function readPiece(reading: Reading, piece: Piece, parse: (piece: TextPiece) => Parsed): void {
  if (piece.kind === 'unknown') return unknownKey(reading, piece.key, piece.line)
  if (piece.kind === 'section') return beginSection(reading, piece.section, piece.line)
  if (piece.kind === 'map' && piece.text.length > maxWholeLength) {
    throw new NotSplittable(piece.line, 'this list is not a block list')
  }
  let parsed: Parsed
  try {
    parsed = parse(piece)
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error
    if (piece.kind === 'item') reading.counts[piece.section]++
    return reading.faults.add({ line: error.line, message: error.message })
  }
  if (piece.kind === 'item') readItem(reading, piece.section, parsed, piece.line)
  else readMap(reading, parsed)
}

function readMap(reading: Reading, { value, lineOf }: Parsed): void {
  if (!isObject(value)) {
    const message = 'an estate file is a map with the keys "facilities" and "partners"'
    return reading.faults.add({ line: lineOf([]), message })
  }
  for (const [key, list] of Object.entries(value)) {
    const line = lineOf([key])
    if (!isSection(key)) unknownKey(reading, key, line)
    else {
      beginSection(reading, key, line)
      if (!Array.isArray(list)) {
        reading.faults.add({ line, message: `${key}: must be a list; write [] for an empty one` })
        continue
      }
      list.forEach((item, index) => {
        const parsed = { value: item, lineOf: (path: Path) => lineOf([key, index, ...path]) }
        readItem(reading, key, parsed, parsed.lineOf([]))
      })
    }
  }
}

function unknownKey({ faults }: Reading, key: string, line: number): void {
  faults.add({ line, message: `${key}: is not a known key; known are ${sections.join(', ')}` })
}

function beginSection(reading: Reading, section: Section, line: number): void {
  if (reading.present[section]) reading.faults.add({ line, message: `${section}: is here for the second time` })
  reading.present[section] = true
}

function readItem(reading: Reading, section: Section, { value, lineOf }: Parsed, line: number): void {
  const itemPath = [section, reading.counts[section]++]
  let faulty = false
  const report: Report = (path, message) => {
    faulty = true
    reading.faults.add({ line: lineOf(path), message: `${formatPath([...itemPath, ...path])}: ${message}` })
  }
  const { seen, sink } = reading
  if (section === 'facilities') {
    const facility = reading.checkFacility(value, [], report)
    checkUnique(seen.facility, facility.idExternal, 'id_external', line, report)
    checkUnique(seen.number, facility.id, 'id', line, report)
    reading.highestFacilityId = Math.max(reading.highestFacilityId, facility.id ?? 0)
    if (!faulty) sink.add({ kind: 'facility', line, facility })
  } else {
    const partner = reading.checkPartner(value, [], report)
    checkUnique(seen.partner, partner.id, 'id', line, report)
    if (!faulty) sink.add({ kind: 'partner', line, partner })
  }
}

function checkUnique(lines: Map<unknown, number>, id: unknown, key: string, line: number, report: Report): void {
  const before = lines.get(id)
  if (before !== undefined) report([key], `${JSON.stringify(id)} is repeated: the item at line ${before} has it`)
  else if (id !== undefined) lines.set(typeof id === 'string' ? copyText(id) : id, line)
}

/** Formats a path as `facilities[0].areas[3].name`. */
function formatPath(path: Path): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('')
}
