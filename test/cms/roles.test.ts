import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hasRole, roles } from '../../src/domain/access/operator.ts'
import { cmsRoutes } from '../../src/http/cms/routes.ts'
import { onEachEngine } from '../harness/atrium.ts'
import { addOperator } from '../harness/operators.ts'
import { assertProblem } from '../harness/scenarios.ts'

const unknown = '0192f0c1-2d3e-7abc-8def-0123456789ab'

/** Calls every operation with every role: a forbidden one is refused before any input is checked. */
onEachEngine('roles', {}, (atrium) => {
  const keys: Record<string, string> = {}
  before(async () => {
    for (const role of roles) keys[role] = (await addOperator(atrium(), role)).key
  })

  for (const { method, path, role: least } of cmsRoutes) {
    const request = `${method} ${path.replace(/\{\w+\}/g, unknown)}`
    if (least === 'anyone') continue

    test(`${method} ${path} needs authentication`, async () => {
      assertProblem(await atrium().ask(request), 401, 'sign_in_required')
      assertProblem(await atrium().ask(request, { as: `atk_00000000_${'0'.repeat(49)}` }), 401, 'key_invalid')
    })

    for (const role of roles) {
      if (hasRole(role, least)) continue
      test(`${method} ${path} is not for a ${role}`, async () => {
        const { status, body } = await atrium().ask(request, { as: keys[role] })
        assert.deepEqual([status, body.code, body.required], [403, 'role_insufficient', { role: least }])
      })
    }
  }
})
