import type { Limits } from '../../../config.ts'
import { type EstateFault, EstateFaults, type EstateItem } from '../../../domain/estate.ts'
import { changeView, type Difference } from '../../../domain/estate-difference.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import { type RefusalCode, refusalFor } from '../../../domain/refusal.ts'
import { applyEstate } from '../../../operations/estate/apply-estate.ts'
import type { WantedEstate } from '../../../operations/estate/estate-application.ts'
import { runInThread } from '../../../operations/run-in-thread.ts'
import { Type } from '../../schema.ts'
import type { CmsWork, OperatorEndpoint } from '../endpoint.ts'
import { importExample, importSchema } from './import-schemas.ts'

const shownAtMost = 1000
/** What takes a few milliseconds: others are answered in between. */
const areasAtOnce = 128

export const postImport: OperatorEndpoint = {
  tag: 'Facilities',
  role: 'admin',
  method: 'POST',
  path: '/cms/v1/import',
  operationId: 'importEstate',
  summary: 'Import an estate file',
  description:
    'Brings the estate to the file, as `atrium apply` does, in one transaction: all of it or nothing. What the file does not mention stays as it is; with `prune=true` what it does not name is removed, in the lists that it has. With `dry_run=true` it says what would change, and changes nothing. JSON is taken too. A larger file is one for `atrium apply`.',
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
    const { wanted, entries } = await wantedBy(await text('application/yaml', config.limits.importBytes), config.limits)
    const work: CmsWork['work'] = async (tell) => {
      const observer = observed(tell)
      const options = { dryRun, prune, actor, areasAtOnce }
      const tally = await applyEstate(db, wanted, options, observer).catch(refuse('estate_conflict'))
      const { count, shown } = observer.found()
      return { body: { dry_run: dryRun, ...tally, differences_count: count, differences: shown.map(view) } }
    }
    return { work, of: entries }
  },
}

function observed(tell: (done: number) => void) {
  let found = noted()
  let done = 0
  const areasDone = (count: number) => {
    done += count
    tell(done)
  }
  return {
    begin: () => {
      found = noted()
      done = 0
    },
    difference: (difference: Difference) => found.add(difference),
    itemDone: () => areasDone(1),
    areasDone,
    found: () => found,
  }
}

/** Read by a thread of its own, so that nobody else waits for it, and held against the estate piece by piece. */
async function wantedBy(text: string, limits: Limits): Promise<{ wanted: WantedEstate; entries: number }> {
  const read = await runInThread(new URL('./estate-worker.ts', import.meta.url), JSON.stringify({ text, limits }))
  const lines = read.split('\n')
  const { outline, entries, faults } = JSON.parse(lines[0] ?? '')
  if (faults.length > 0) refuse('body_invalid')(new EstateFaults(faults))
  function* items(): Generator<EstateItem> {
    for (const line of lines.slice(1)) yield parseExactly(line) as EstateItem
  }
  return { wanted: { ...outline, items }, entries }
}

/** A fault points to a line of the file. */
function refuse(code: RefusalCode) {
  return (error: unknown): never => {
    if (!(error instanceof EstateFaults)) throw error
    const faultOf = ({ line, message }: EstateFault) => ({ pointer: `/${line ?? ''}`, detail: message })
    throw refusalFor(code, 'Nothing was changed.', error.faults.map(faultOf))
  }
}

function noted() {
  const shown: Difference[] = []
  let count = 0
  const add = (difference: Difference) => {
    if (++count <= shownAtMost) shown.push(difference)
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
