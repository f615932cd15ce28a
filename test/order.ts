import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The tests that take longest, the longest first: one that starts last would run alone at the end. */
const longest = [
  'test/browser/',
  'test/hostile/slow.test.ts',
  'test/hostile/fairness.test.ts',
  'test/hostile/loop.test.ts',
  'test/faults/changes.test.ts',
  'test/faults/replica.test.ts',
  'test/takeover/',
  'test/http/slow-requests.test.ts',
  'test/cache/freshness.test.ts',
  'test/examples/',
  'test/docs-page.test.ts',
  'test/model.test.ts',
  'test/model-planted.test.ts',
  'test/faults/published.test.ts',
  'test/faults/failover.test.ts',
  'test/faults/drain.test.ts',
  'test/faults/delays.test.ts',
  'test/faults/crash.test.ts',
  'test/cli/workers.test.ts',
  'test/cli/workers-stop.test.ts',
  'test/partner/permission-matrix.test.ts',
]
/** Folders whose tests share one process, because starting a process takes longer than most of these tests. */
const together = [
  'storage',
  'cms',
  'http',
  'webhooks',
  'cache',
  'sandbox',
  'cli',
  'events',
  'partner',
  'client',
  'estate',
  'guards',
  'access',
  'domain',
  'bench',
  'place',
  'torture',
]
/**
 * Matches files with hooks or waits at the outermost level, which concern a whole process, and with measurements of its
 * memory.
 */
const needsItsOwn = /^(before|after)(Each)?\(|^(const .* = )?await |memoryUsage/m

/**
 * Returns all test files in the order in which they are started. Files that share a process are replaced by a file that
 * imports them.
 */
export function everyTestInOrder(root: string, scratch: string): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  const long = longest.flatMap((beginning) => files.filter((file) => file.startsWith(beginning)))
  const others = files.filter((file) => !long.includes(file))
  const isShared = (file: string) => !needsItsOwn.test(readFileSync(join(root, file), 'utf8'))
  const groups = together.map((folder) => {
    return { folder, members: others.filter((file) => file.startsWith(`test/${folder}/`) && isShared(file)) }
  })
  const shared = groups.map(({ folder, members }) => {
    const path = join(scratch, `${folder}.test.mjs`)
    writeFileSync(path, members.map((file) => `import '${pathToFileURL(join(root, file))}'\n`).join(''))
    return path
  })
  const alone = others.filter((file) => !groups.some(({ members }) => members.includes(file)))
  return [...long, ...shared, ...alone]
}
