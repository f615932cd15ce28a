import { readFile } from 'node:fs/promises'
import { Refusal } from '../../domain/refusal.ts'

const file = new URL('../../../assets/viewer.js', import.meta.url)

/** Returns Scalar's script for the browser, which the build takes from its package. */
export async function viewerScript(): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Refusal(
      'route_not_found',
      'The viewer has not been built: run `npm run build` where Atrium is installed.',
    )
  }
}
