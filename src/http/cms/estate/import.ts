import type { Limits } from '../../../config.ts'
import { type EstateFault, EstateFaults, type EstateItem } from '../../../domain/estate.ts'
import { changeView, type Difference } from '../../../domain/estate-difference.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import { type RefusalCode, refusalFor } from '../../../domain/refusal.ts'
import { applyEstate } from '../../../operations/estate/apply-estate.ts'
import type { WantedEstate } from '../../../operations/estate/estate-context.ts'
import { runInThread } from '../../../operations/run-in-thread.ts'
import { Type } from '../../schema.ts'
import type { CmsLongTask, OperatorEndpoint } from '../endpoint.ts'
import { importExample, importSchema } from './import-schemas.ts'

const maxShown = 1000
/** Areas per step, some milliseconds of work; the event loop serves other requests between steps. */
const areasPerBatch = 128

export const postImport: OperatorEndpoint = {
  tag: 'Facilities',
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/import',
  operationId: 'importEstate',
  summary: 'Import an estate file',
  description:
    'Brings the estate to the state that the file describes, as `atrium apply` does, in one transaction: all of it or nothing. What the file does not mention stays; with `prune=true`, items that are missing from the lists in the file are removed. With `dry_run=true` the response says what would change, and nothing changes. The file can also be JSON. For larger files use `atrium apply`.',
  query: ['dry_run', 'prune', 'progress'],
  body: {
    type: 'application/yaml',
    schema: Type.String({ description: 'The estate file, in UTF-8.' }),
    example: 'facilities:\n  - id_external: lyon-01\n    name: Hôtel Bellecour\n',
  },
  response: { description: 'What changed, or would change.', schema: importSchema, example: importExample },
  refusals: ['estate_conflict'],
  handle: async ({ db, actor, config, query, text }) => {
    const { dry_run: dryRun = false, prune = false } = query()
    const file = await text('application/yaml', config.limits.importBytes)
    const { wanted, entries } = await parseEstate(file, config.limits)
    const run: CmsLongTask['run'] = async (onProgress) => {
      const observer = createObserver(onProgress)
      const options = { dryRun, prune, actor, areasPerBatch }
      const tally = await applyEstate(db, wanted, options, observer).catch(refuse('estate_conflict'))
      const { count, shown } = observer.found()
      return { body: { dry_run: dryRun, ...tally, differences_count: count, differences: shown.map(view) } }
    }
    return { run, total: entries }
  },
}

function createObserver(onProgress: (done: number) => void) {
  let found = createDifferenceList()
  let done = 0
  const areasDone = (count: number) => {
    done += count
    onProgress(done)
  }
  return {
    begin: () => {
      found = createDifferenceList()
      done = 0
    },
    difference: (difference: Difference) => found.add(difference),
    itemDone: () => areasDone(1),
    areasDone,
    found: () => found,
  }
}

/** Parses the file in a worker thread, so that the event loop stays free. */
async function parseEstate(text: string, limits: Limits): Promise<{ wanted: WantedEstate; entries: number }> {
  const read = await runInThread(new URL('./estate-worker.ts', import.meta.url), JSON.stringify({ text, limits }))
  const lines = read.split('\n')
  const { outline, entries, faults } = JSON.parse(lines[0] ?? '')
  if (faults.length > 0) refuse('body_invalid')(new EstateFaults(faults))
  function* items(): Generator<EstateItem> {
    for (const line of lines.slice(1)) yield parseExactly(line) as EstateItem
  }
  return { wanted: { ...outline, items }, entries }
}

/** Returns an error handler; the JSON pointer of each fault is the line number in the file. */
function refuse(code: RefusalCode) {
  return (error: unknown): never => {
    if (!(error instanceof EstateFaults)) throw error
    const faultOf = ({ line, message }: EstateFault) => ({ pointer: `/${line ?? ''}`, detail: message })
    throw refusalFor(code, 'Nothing was changed.', error.faults.map(faultOf))
  }
}

function createDifferenceList() {
  const shown: Difference[] = []
  let count = 0
  const add = (difference: Difference) => {
    if (++count <= maxShown) shown.push(difference)
  }
  return {
    shown,
    add,
    get count() {
      return count
    },
  }
}

const actions = { '+': 'create', '~': 'update', '-': 'remove' } as const

function view({ sign, noun, id, changes, lost }: Difference) {
  return { action: actions[sign], kind: noun, id, changes: changes.map(changeView), lost }
}
