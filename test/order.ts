import { globSync } from 'node:fs'

/** Those that take longest, the longest first: begun last, one of them would run alone at the end. */
const longest = [
  'test/faults/crash.test.ts',
  'test/hostile/slow.test.ts',
  'test/browser/axe.test.ts',
  'test/hostile/fuzz.test.ts',
  'test/hostile/loop.test.ts',
  'test/hostile/mutation.test.ts',
  'test/faults/linearizability.test.ts',
  'test/http/slow-requests.test.ts',
  'test/faults/failover.test.ts',
  'test/faults/drain.test.ts',
  'test/cli/workers.test.ts',
  'test/cli/workers-stop.test.ts',
  'test/cli/serve.test.ts',
  'test/docs-page.test.ts',
]

/** All test files, in the order in which they are begun. */
export function everyTestInOrder(root: string): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort()
  const gone = longest.filter((file) => !files.includes(file))
  if (gone.length > 0) throw new Error(`not there any more, and still named in test/order.ts: ${gone.join(', ')}`)
  return [...longest, ...files.filter((file) => !longest.includes(file))]
}
