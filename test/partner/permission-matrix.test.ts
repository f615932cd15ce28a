import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { partnerEndpoints } from '../../src/http/partner/routes.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { assertProblem } from '../harness/scenarios.ts'
import { type Cell, matrix, type Verdict, verdict } from './matrix/oracle.ts'
import { difference, type Result, runMatrix } from './matrix/run.ts'
import { leaks, shapes } from './matrix/shapes.ts'
import { facilities, partners, root } from './matrix/world.ts'

const bare = (route: string) => route.replace(/\/$/, '')
const routes = Object.keys(matrix)

describe('the matrix has every route', () => {
  test('those that are served', () => {
    assert.deepEqual(
      routes.map(bare).sort(),
      partnerEndpoints.map(({ method, path }) => bare(`${method} ${path}`)).sort(),
    )
    assert.deepEqual(Object.keys(shapes).sort(), routes.toSorted())
  })

  test('those that are documented', () => {
    const { paths } = openApiDocument() as { paths: Record<string, object> }
    const documented = Object.entries(paths)
      .filter(([path]) => path.startsWith('/v1'))
      .flatMap(([path, item]) =>
        Object.keys(item)
          .filter((method) => /^(get|put|post|patch|delete)$/.test(method))
          .map((method) => bare(`${method.toUpperCase()} ${path}`)),
      )
    assert.deepEqual(documented.sort(), routes.map(bare).sort())
  })
})

/** Planted errors in the oracle. The matrix must find each, or it proves nothing. */
const errors: Record<string, (cell: Cell, right: Verdict) => Verdict> = {
  'a hidden facility is 404': (_, right) =>
    right.code === 'facility_not_granted' ? { status: 404, code: 'facility_not_found' } : right,
  'an absent facility is 403 for all': (_, right) =>
    right.code === 'facility_not_found' ? { status: 403, code: 'facility_not_granted' } : right,
  'write implies read': ({ partner, route, target }, right) =>
    route.endsWith('areas_autocomplete_list') &&
    partner.id === 'only-write-areas_autocomplete_list' &&
    target === 'hotel'
      ? { status: 200 }
      : right,
  'the installation does not matter': (_, right) =>
    right.code === 'room_services_unsupported' ? { status: 200 } : right,
  'a missing grant is not named': (_, { required: _required, ...right }) => right,
  'type comes with address': (_, right) =>
    right.shows?.includes('address') ? { ...right, shows: [...new Set([...right.shows, 'type'])].sort() } : right,
  'a grant reaches every facility': ({ route }, right) =>
    route === 'GET /v1/facilities/' && right.shows?.length
      ? { ...right, shows: facilities.map(({ id_external }) => id_external) }
      : right,
  'one cell': ({ partner, route, target }, right) =>
    partner.id === 'only-rooms-services' &&
    target === 'clinic' &&
    route.startsWith('POST') &&
    route.endsWith('services')
      ? { status: 403, code: 'not_granted' }
      : right,
}

onEachEngine('permission matrix', { estate: { facilities, partners: [...partners, root] } }, (atrium) => {
  let results: Result[] = []
  let stored: string[] = []
  before(async () => {
    const run = await runMatrix(atrium())
    results = run.results
    stored = run.stored
  })

  for (const route of routes) {
    test(route, () => {
      const cells = results.filter(({ cell }) => cell.route === route)
      assert.ok(cells.length >= partners.length)
      assert.deepEqual(cells.map((result) => difference(result)).filter(Boolean), [])
      for (const result of cells) {
        if (result.answer.status === 200) shapes[route]?.(result.answer.body, result)
        else assertProblem(result.answer, result.answer.status, undefined)
      }
    })
  }

  test('a refusal stores nothing', () => assert.deepEqual(stored, []))

  test('no response shows what its caller may not read', () => {
    assert.deepEqual(results.flatMap(leaks), [])
    const shown = results.filter(({ answer }) => /canary/.test(answer.text))
    assert.ok(shown.length > 100, 'those who may read them see them')
  })

  test('hidden and absent things get the same bytes', () => {
    const bytes = ({ answer }: Result) => {
      const headers = [...answer.headers].filter(([name]) => name !== 'date')
      return JSON.stringify([answer.status, answer.text, headers])
    }
    let pairs = 0
    for (const cells of Map.groupBy(results, ({ cell }) => `${cell.partner.id} ${cell.route}`).values()) {
      const of = (target: string) => cells.find(({ cell }) => cell.target === target)
      const hidden = of('hidden')
      if (hidden === undefined || hidden.answer.status === 200 || hidden.answer.body.code === 'not_granted') continue
      if (hidden.answer.body.code === 'room_services_unsupported') continue
      for (const other of [of('absent'), of('unknown')].filter((one) => one !== undefined)) {
        assert.equal(bytes(other), bytes(hidden), hidden.cell.route)
        pairs++
      }
    }
    assert.ok(pairs > 500, `${pairs} pairs`)
  })

  for (const [belief, judge] of Object.entries(errors)) {
    test(`a wrong oracle is found: ${belief}`, () => {
      const wrong = (cell: Cell) => judge(cell, verdict(cell))
      const found = results.filter((result) => difference(result, wrong) !== undefined)
      assert.ok(found.length > 0)
      if (belief === 'one cell') assert.equal(found.length, 1)
    })
  }
})
