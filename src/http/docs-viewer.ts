import { madeApart } from '../operations/made-apart.ts'

/** Scalar's script for the browser. The package takes a quarter of a second to load. */
export async function viewerScript(): Promise<Buffer> {
  const script = await madeApart(new URL('./docs-viewer-worker.ts', import.meta.url))
  // What it would point to stays behind.
  return Buffer.from(script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}
