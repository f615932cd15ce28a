import { type Engine, engines } from '../harness/databases.ts'
import type { Run } from './harness.ts'
import { root } from './plant.ts'

/** Both engines; for a planted bug only the one that starts at once, because catching it once is enough. */
export function enginesFor({ build }: Pick<Run, 'build'>): readonly Engine[] {
  return build === root ? engines : ['sqlite']
}
