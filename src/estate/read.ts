import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FaultList } from '../domain/estate.ts'
import type { CheckLimits } from './check-facility.ts'
import { type Input, NotUtf8 } from './input.ts'
import { type Parsed, parseJson, parseYaml } from './parse.ts'
import { maxWholeLength, NotSplittable, type Splitter, type TextPiece } from './piece.ts'
import { newReading, type Outline, type Reading, readPiece, type Sink } from './reading.ts'
import { jsonSplitter } from './split-json.ts'
import { yamlSplitter } from './split-yaml.ts'

interface ReadOptions {
  limits: CheckLimits
  /** Reports progress: called after each chunk with the fraction of the file that has been read, from 0 to 1. */
  progress(part: number): void
}

/**
 * Reads an estate file in pieces, in constant memory. A file that cannot be split is read again and parsed as a whole,
 * up to a maximum size. Throws EstateFaults.
 */
export async function readEstate(input: Input, options: ReadOptions, sink: Sink, faults: FaultList): Promise<Outline> {
  const createReading = () => newReading(options.limits, sink, faults)
  try {
    return outlineOf(await readInPieces(input, createReading(), options.progress))
  } catch (error) {
    if (error instanceof NotUtf8) faults.add({ line: error.line, message: error.message })
    else if (error instanceof NotSplittable) {
      sink.clear()
      faults.clear()
      if (input.bytes <= maxWholeLength) return outlineOf(readWhole(input, createReading()))
      faults.add({ line: error.line, message: error.message })
    } else throw error
    return outlineOf(createReading())
  }
}

async function readInPieces(input: Input, reading: Reading, progress: (part: number) => void): Promise<Reading> {
  let format: Format | undefined
  let unread = ''
  let length = 0
  for (const chunk of input.chunks()) {
    unread += chunk
    format ??= formatOf(unread)
    if (format === undefined) continue
    for (const piece of format.splitter.push(unread)) readPiece(reading, piece, format.parse)
    length += unread.length
    unread = ''
    progress(length / input.bytes)
    await yieldToEventLoop()
  }
  format ??= formats.yaml()
  for (const piece of format.splitter.end()) readPiece(reading, piece, format.parse)
  return reading
}

interface Format {
  splitter: Splitter
  parse(piece: TextPiece): Parsed
}

const formats = {
  json: (): Format => ({ splitter: jsonSplitter(), parse: parseJson }),
  yaml: (): Format => ({ splitter: yamlSplitter(), parse: parseYaml }),
}

/** Returns undefined while the text has only white space. */
function formatOf(text: string): Format | undefined {
  const first = text.trimStart()[0]
  if (first === undefined) return undefined
  return first === '{' || first === '[' ? formats.json() : formats.yaml()
}

function readWhole(input: Input, reading: Reading): Reading {
  readPiece(reading, { kind: 'file', text: [...input.chunks()].join(''), line: 1 }, parseYaml)
  return reading
}

function outlineOf({ faults, present, highestFacilityId }: Reading): Outline {
  if (faults.count === 0 && !present.facilities && !present.partners) {
    faults.add({ line: 1, message: 'an estate file needs the key "facilities" or "partners", and this has neither' })
  }
  faults.throwIfAny()
  return { present, highestFacilityId }
}
