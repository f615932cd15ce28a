import { maxInlineLength } from '../../../domain/audit/audit-detail.ts'
import { type EstateFault, EstateFaults } from '../../../domain/estate.ts'
import { type Change, changeView, type Difference, loggedChange } from '../../../domain/estate-difference.ts'
import { type RefusalCode, refusalFor } from '../../../domain/refusal.ts'
import { openSpool, type Spool } from '../../../estate/spool.ts'
import { applyEstate } from '../../../operations/estate/apply-estate.ts'
import { text } from '../../schema-parts.ts'
import type { CmsLongTask, OperatorEndpoint } from '../endpoint.ts'
import { parseImport } from './import-file.ts'
import { importExample, importSchema } from './import-schemas.ts'

const maxShown = 1000
/** Areas per step, which takes milliseconds; between steps, the event loop serves other requests. */
const areasPerBatch = 128

export const postImport: OperatorEndpoint = {
  tag: 'Facilities',
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/import',
  operationId: 'importEstate',
  summary: 'Import an estate file',
  description:
    'Brings the estate to the state that the file describes, as `atrium apply` does, in one transaction: all of it or nothing. What the file does not mention stays; with `prune=true`, items that are missing from the lists in the file are removed. With `dry_run=true` the response says what would change, and nothing changes. The file can also be JSON, and compressed with `Content-Encoding: gzip`. ATRIUM_LIMIT_IMPORT_BYTES limits its size.',
  query: ['dry_run', 'prune', 'progress', 'all_differences'],
  body: {
    type: 'application/yaml',
    schema: text('The estate file, in UTF-8.'),
    example: 'facilities:\n  - id_external: lyon-01\n    name: Hôtel Bellecour\n',
  },
  response: { description: 'What changed, or would change.', schema: importSchema, example: importExample },
  refusals: ['estate_conflict'],
  handle: async ({ db, actor, config, query, receive }) => {
    const { dry_run: dryRun = false, prune = false, all_differences: all = false } = query()
    const received = await receive('application/yaml', config.limits.importBytes)
    const { wanted, entries, close } = await parseImport(received, config.limits).catch(refuse('body_invalid'))
    const run: CmsLongTask['run'] = async (onProgress) => {
      const found = openSpool()
      try {
        const options = { dryRun, prune, actor, areasPerBatch }
        const observer = createObserver(found, onProgress)
        const tally = await applyEstate(db, wanted, options, observer).catch(refuse('estate_conflict'))
        const differences = [...partnersFirst(observer.partners, found).take(maxShown)]
        const body = { dry_run: dryRun, ...tally, differences_count: found.count, differences }
        return { body, ...(all && { details: allOf(found) }) }
      } finally {
        if (!all) found.close()
        close()
      }
    }
    return { run, total: entries }
  },
}

/**
 * Yields the differences of partners first: the response has at most `maxShown` differences, and those in which a
 * partner loses permissions must not be cut off.
 */
function* partnersFirst(partners: DifferenceView[], found: Spool): Generator<DifferenceView> {
  yield* partners
  for (const line of found.lines()) {
    const difference: DifferenceView = JSON.parse(line)
    if (difference.kind !== 'partner') yield difference
  }
}

function* allOf(found: Spool): Generator<object> {
  try {
    for (const line of found.lines()) yield { difference: JSON.parse(line) }
  } finally {
    found.close()
  }
}

/** Collects the differences in the temporary file `found`, as there can be too many for memory. */
function createObserver(found: Spool, onProgress: (done: number) => void) {
  let done = 0
  const partners: DifferenceView[] = []
  const areasDone = (count: number) => {
    done += count
    onProgress(done)
  }
  return {
    partners,
    begin: () => {
      found.clear()
      partners.length = 0
      done = 0
    },
    difference: (difference: Difference) => {
      const shown = view(difference)
      found.add(JSON.stringify(shown))
      if (shown.kind === 'partner' && partners.length < maxShown) partners.push(shown)
    },
    itemDone: () => areasDone(1),
    areasDone,
  }
}

/** Converts the faults of an estate file to a Refusal. The `pointer` of each is a slash and its line number. */
function refuse(code: RefusalCode) {
  return (error: unknown): never => {
    if (!(error instanceof EstateFaults)) throw error
    const faultOf = ({ line, message }: EstateFault) => ({ pointer: `/${line ?? ''}`, detail: message })
    throw refusalFor(code, 'Nothing was changed.', error.faults.map(faultOf))
  }
}

type DifferenceView = ReturnType<typeof view>

const actions = { '+': 'create', '~': 'update', '-': 'remove' } as const

function view({ sign, noun, id, changes, lost }: Difference) {
  return { action: actions[sign], kind: noun, id, changes: changes.map(withValues), lost }
}

/**
 * Returns a change with its values, or without them if they are long. Grants are never omitted: the caller must see all
 * permissions that a partner loses.
 */
function withValues(change: Change): object {
  const whole = loggedChange(change)
  return change.key === 'grants' || JSON.stringify(whole).length <= maxInlineLength ? whole : changeView(change)
}
