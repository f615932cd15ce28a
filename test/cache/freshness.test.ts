import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changes, reset } from './changes.ts'
import { type Nodes, nameOf, onNodes, see, seeAll } from './nodes.ts'
import { estate, viewNamed, views } from './views.ts'

/** The reads whose responses are cached. */
const cached = /^GET \/v1\/facilities\//

/** Reads everything twice, so that all that can be cached is a hit the second time. */
async function warmUp({ b }: Nodes) {
  await seeAll(b, views)
  const { hits, misses } = { ...b.service.db.cache.responses.metrics }
  const seen = await seeAll(b, views)
  const after = b.service.db.cache.responses.metrics
  const hit = views.filter((view) => cached.test(view.request) && seen.get(nameOf(view))?.status === 200)
  assert.ok(after.hits - hits >= hit.length, `${after.hits - hits} of ${hit.length} were hits`)
  assert.equal(after.misses, misses)
  return seen
}

onNodes('the very next request to another node shows what changed', estate, (nodes) => {
  let n = 0
  for (const { what, prepare, make, shows } of changes) {
    for (const [at, shown] of shows.entries()) {
      test(`${what}: ${shown}`, async () => {
        const view = viewNamed(shown)
        await reset(nodes())
        await prepare?.(nodes())
        const before = await warmUp(nodes())
        await make(nodes(), ++n)
        const next = await see(nodes().b, view)
        assert.notDeepEqual(next, before.get(nameOf(view)), 'nothing has changed')
        assert.deepEqual(next, await see(nodes().bare, view))
        // Once per change: its effects on the other views are the same each time.
        if (at === 0) assert.deepEqual(await seeAll(nodes().b, views), await seeAll(nodes().bare, views))
        assert.deepEqual(await see(nodes().a, view), next, 'on the node that made the change')
      })
    }
  }
})
