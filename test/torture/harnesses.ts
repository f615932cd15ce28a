import { audit } from '../faults/audit.ts'
import { backup } from '../faults/backup.ts'
import { bulk } from '../faults/bulk.ts'
import { changes } from '../faults/changes.ts'
import { clocks } from '../faults/clocks.ts'
import { crash } from '../faults/crash.ts'
import { delays } from '../faults/delays.ts'
import { disk } from '../faults/disk.ts'
import { drain } from '../faults/drain.ts'
import { durability } from '../faults/durability.ts'
import { erasure } from '../faults/erasure.ts'
import { failover } from '../faults/failover.ts'
import { idempotency } from '../faults/idempotency.ts'
import { linearizability } from '../faults/linearizability.ts'
import { moves } from '../faults/moves.ts'
import { nodes } from '../faults/nodes.ts'
import { parity } from '../faults/parity.ts'
import { patroni } from '../faults/patroni.ts'
import { pooler } from '../faults/pooler.ts'
import { published } from '../faults/published.ts'
import { replica } from '../faults/replica.ts'
import { upgrade } from '../faults/upgrade.ts'
import { webhooks } from '../faults/webhooks.ts'
import { connections } from '../hostile/endings.ts'
import { existence } from '../hostile/existence.ts'
import { fairness } from '../hostile/fairness.ts'
import { fuzz } from '../hostile/fuzz.ts'
import { ids } from '../hostile/ids.ts'
import { isolation } from '../hostile/isolation.ts'
import { logs } from '../hostile/logs.ts'
import { loop } from '../hostile/loop.ts'
import { mutation } from '../hostile/mutation.ts'
import { slow } from '../hostile/slow.ts'
import { sockets } from '../hostile/sockets.ts'
import { supply } from '../hostile/supply.ts'
import { tokens } from '../hostile/tokens.ts'
import type { Harness } from './harness.ts'

/** All harnesses, ordered by the first promise that each tests. */
export const harnesses: Harness[] = [
  crash,
  bulk,
  moves,
  webhooks,
  durability,
  disk,
  clocks,
  linearizability,
  replica,
  erasure,
  idempotency,
  failover,
  nodes,
  parity,
  existence,
  isolation,
  mutation,
  ids,
  tokens,
  audit,
  fuzz,
  loop,
  sockets,
  slow,
  drain,
  backup,
  upgrade,
  logs,
  supply,
  connections,
  delays,
  patroni,
  pooler,
  fairness,
  changes,
  published,
]
