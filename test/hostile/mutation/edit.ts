/** A replacement of a range of the source. */
export interface Edit {
  start: number
  end: number
  text: string
}

type Place = Pick<Edit, 'start' | 'end'>

export function replaced({ start, end }: Place, text: string): Edit {
  return { start, end, text }
}

/** Returns the edit that removes an element of a list with its comma. */
export function without(list: Place[], at: number): Edit {
  const next = list[at + 1]
  const one = list[at] as Place
  const start = next === undefined && at > 0 ? (list[at - 1] as Place).end : one.start
  return { start, end: next?.start ?? one.end, text: '' }
}
