import type { RoomOperation } from '../../domain/access/grant.ts'
import { Refusal, refusalFor } from '../../domain/refusal.ts'
import type { BulkOperation } from '../../domain/room/bulk-body.ts'
import { closing, opening } from './cycle.ts'
import type { Apply } from './outcome.ts'
import { adding, replacing, type ServiceRules } from './services.ts'

/** The grant that each operation needs. */
export const grantFor: Record<BulkOperation['op'], RoomOperation> = {
  open: 'open_close',
  close: 'open_close',
  add_services: 'services',
  replace_services: 'services',
}

/** Returns what an operation does to its room. */
export function applying(operation: BulkOperation, rules: ServiceRules): Apply {
  if ('refusal' in operation) {
    const { code, message, facts } = operation.refusal
    return () => {
      throw new Refusal(code, message, facts)
    }
  }
  if (operation.op === 'open') return opening
  if (operation.op === 'close') return closing
  if (operation.op === 'add_services') return adding(operation.drafts, rules, operation.pointer)
  const { wanted, pointer, faults } = operation
  return replacing(wanted, pointer, rules, (items) => {
    const found = items.flatMap((item) => faults.filter((fault) => isWithin(item.pointer, fault.pointer)))
    if (found.length > 0) throw refusalFor('item_invalid', 'Nothing was changed.', found)
  })
}

function isWithin(item: string, pointer: string): boolean {
  return pointer === item || pointer.startsWith(`${item}/`)
}
