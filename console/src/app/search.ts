/** Returns the named query parameters that are present. */
export function optionalText<K extends string>(...names: K[]) {
  return (search: Record<string, unknown>): { [Name in K]?: string } => {
    const found: { [Name in K]?: string } = {}
    for (const name of names) {
      const value = search[name]
      if (typeof value === 'string') found[name] = value
    }
    return found
  }
}

/** Keeps every parameter a string: a request id such as 12e4 is not a number. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Omits empty parameters. */
export function withoutEmpty<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== '' && value !== undefined)) as T
}
