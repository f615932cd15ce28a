import { lazyRouteComponent } from '@tanstack/react-router'

/** A part of the console that could not be loaded: the server is away, or has a newer version without it. */
export class ChunkMissing extends Error {
  constructor(cause: unknown) {
    super('A part of the console could not be loaded.', { cause })
    this.name = 'ChunkMissing'
  }
}

/** A page that is loaded when it is gone to. */
export function lazyPage<T extends Record<string, unknown>>(load: () => Promise<T>, name: keyof T & string) {
  const loadOrSay = () =>
    load().catch((error: unknown) => {
      throw new ChunkMissing(error)
    })
  return lazyRouteComponent(loadOrSay as () => Promise<Record<string, never>>, name)
}
