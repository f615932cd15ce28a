type Parameter = string | number | boolean | readonly string[] | undefined

/** Formats options as a query string: `changedSince` becomes `changed_since`, and what is undefined is left out. */
export function query({
  signal: _signal,
  ...options
}: {
  signal?: unknown
  [name: string]: Parameter | unknown
}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined)
      given.set(
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        `${value}`,
      )
  }
  return given.size === 0 ? '' : `?${given}`
}
