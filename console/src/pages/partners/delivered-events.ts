import type { Delivery } from '../../api/types.ts'

/** An event with all attempts to send it, the newest first. */
export interface DeliveredEvent {
  last: Delivery
  attempts: Delivery[]
}

/** Groups attempts by event, the event with the newest attempt first. */
export function deliveredEvents(deliveries: Delivery[]): DeliveredEvent[] {
  return [...Map.groupBy(deliveries, ({ event }) => event).values()].map((attempts) => {
    return { last: attempts[0] as Delivery, attempts }
  })
}
