import { parseExactly } from '../domain/exact-json.ts'
import { nestsDeeper } from '../domain/json.ts'
import { RemoteFailure, RemoteRefusal } from './remote-failure.ts'

/** The maximum depth of nesting. Deeper JSON could overflow the stack of the recursive functions that process it. */
const maxDepth = 200

/** Refuses a body that exceeds `maxBytes` after decompression. */
export async function readJson(response: Response, what: string, maxBytes: number): Promise<unknown> {
  const text = await readText(response, what, maxBytes)
  if (nestsDeeper(text, maxDepth)) throw new RemoteRefusal(`${what}: the JSON is nested deeper than ${maxDepth} levels`)
  try {
    return parseExactly(text)
  } catch {
    const looksLike = /^\s*</.test(text) ? 'HTML or XML' : 'not valid JSON, or cut off'
    throw new RemoteFailure(`${what}: the body is ${looksLike}; check that the address is that of the API`)
  }
}

async function readText(response: Response, what: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) {
      // Throwing inside the loop also cancels the rest of the body, which closes the connection.
      throw new RemoteRefusal(`${what}: the body is longer than ${maxBytes} bytes; --max-bytes allows more`)
    }
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new RemoteFailure(`${what}: the body is not UTF-8`)
  }
}
