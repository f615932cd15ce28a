import type { EstateReceiver } from '../domain/estate.ts'
import { openSpool, type Spool } from './spool.ts'
import { estateWriter } from './write.ts'

/**
 * Writes the estate file (facilities and partners) to a temporary file first: so the transaction ends before a slow
 * reader has received all, and a retry of the transaction can start the file again.
 */
export async function exportToFile(
  format: 'yaml' | 'json',
  exportTo: (receiver: EstateReceiver) => Promise<void>,
): Promise<AsyncGenerator<string>> {
  const spool = openSpool()
  const add = (text: string) => spool.add(JSON.stringify(text))
  let writer = estateWriter(format)
  try {
    await exportTo({
      begin: () => {
        spool.clear()
        writer = estateWriter(format)
      },
      receive: async (items) => {
        for (const item of items) add(writer.add(item))
      },
    })
    add(writer.end())
    return chunksOf(spool)
  } catch (error) {
    spool.close()
    throw error
  }
}

async function* chunksOf(spool: Spool): AsyncGenerator<string> {
  try {
    for (const line of spool.lines()) yield JSON.parse(line)
  } finally {
    spool.close()
  }
}
