import { lazyRouteComponent } from '@tanstack/react-router'

/** A chunk that failed to load: the server is unreachable, or a newer version no longer has it. */
export class ChunkMissing extends Error {
  constructor(cause: unknown) {
    super('A part of the console could not be loaded.', { cause })
    this.name = 'ChunkMissing'
  }
}

/** Creates a page whose code is loaded on navigation. */
export function lazyPage<T extends Record<string, unknown>>(load: () => Promise<T>, name: keyof T & string) {
  const loadOrSay = () =>
    load().catch((error: unknown) => {
      throw new ChunkMissing(error)
    })
  return lazyRouteComponent(loadOrSay as () => Promise<Record<string, never>>, name)
}
