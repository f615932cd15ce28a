/** What is written instead of a piece of the sources. */
export interface Edit {
  start: number
  end: number
  text: string
}

type Place = Pick<Edit, 'start' | 'end'>

export function replaced({ start, end }: Place, text: string): Edit {
  return { start, end, text }
}

/** One of a list, with the comma beside it. */
export function without(list: Place[], at: number): Edit {
  const next = list[at + 1]
  const one = list[at] as Place
  const start = next === undefined && at > 0 ? (list[at - 1] as Place).end : one.start
  return { start, end: next?.start ?? one.end, text: '' }
}
