import { type Engine, engines } from '../harness/databases.ts'
import type { Run } from './harness.ts'
import { root } from './plant.ts'

/** Both, or for a planted bug the one that starts at once: it need not be caught twice. */
export function enginesFor({ build }: Pick<Run, 'build'>): readonly Engine[] {
  return build === root ? engines : ['sqlite']
}
