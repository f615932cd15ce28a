import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Grant } from '../../src/domain/access/grant.ts'
import { lostAccess } from '../../src/domain/access/grant-difference.ts'

const rooms: Grant['rooms'] = []
const onBoth: Grant = { facilities: ['f', 'g'], read: ['address'], write: [], rooms }
const everywhere: Grant = { facilities: '*', read: ['areas'], write: [], rooms }
const address = { kind: 'read', field: 'address' }
const areas = { kind: 'read', field: 'areas' }

const cases: [title: string, before: Grant[], after: Grant[], lost: object[]][] = [
  ['nothing', [onBoth], [onBoth], []],
  [
    'a facility',
    [onBoth],
    [{ ...onBoth, facilities: ['f'] }],
    [{ facilities: ['g'], isWhole: true, rights: [address] }],
  ],
  ['a field', [onBoth], [{ ...onBoth, read: [] }], [{ facilities: ['f', 'g'], isWhole: false, rights: [address] }]],
  ['a field that another grant gives', [onBoth, everywhere], [onBoth, { ...everywhere, read: '*' }], []],
  [
    'all but one name',
    [{ ...onBoth, write: '*' }],
    [{ ...onBoth, write: ['name', 'ssid_public', 'subscription_url'] }],
    [{ facilities: ['f', 'g'], isWhole: false, rights: [{ kind: 'write', field: 'areas_autocomplete_list' }] }],
  ],
  [
    'all but a facility',
    [everywhere],
    [{ ...everywhere, facilities: ['f'] }],
    [{ facilities: ['*'], isWhole: true, rights: [areas] }],
  ],
  ['everything', [everywhere], [], [{ facilities: undefined, isWhole: true, rights: [areas] }]],
  ['a grant that only shows', [{ ...onBoth, read: [] }], [], [{ facilities: ['f', 'g'], isWhole: true, rights: [] }]],
]

for (const [title, before, after, lost] of cases) {
  test(`a change of grants that takes ${title}`, () => assert.deepEqual(lostAccess(before, after), lost))
}
