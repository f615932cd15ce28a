/** The named parameters of an address, where they are there as text. */
export function optionalText<K extends string>(...names: K[]) {
  return (search: Record<string, unknown>): { [Name in K]?: string } => {
    const found: { [Name in K]?: string } = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string' || typeof value === 'number') found[name] = String(value)
    }
    return found
  }
}

/** What is empty does not stand in the address. */
export function withoutEmpty<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== '' && value !== undefined)) as T
}
