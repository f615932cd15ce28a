import { randomFillSync } from 'node:crypto'

const longest = 128
const lanes = 4
/** This process's own, and nobody's to know: who does not know them cannot choose texts that agree. */
const keys = randomFillSync(new Int32Array(lanes * longest))

/** Of four lanes. */
export type Fingerprint = readonly [number, number, number, number]

/**
 * Tells secrets apart at a small part of a hash's price, for what is asked with every request. Each lane is multilinear
 * modulo 2^32 over one byte a character, of which the top 25 bits are strongly universal (Lemire and Kaser, "Strongly
 * universal string hashing is fast"): another text agrees in all four with a chance of 2^-100, whoever chose it. A
 * fingerprint says too little about a secret to make one from it. Nothing for texts that no token has.
 */
export function fingerprintOf(text: string): Fingerprint | undefined {
  if (text !== last.text) last = { text, fingerprint: made(text) }
  return last.fingerprint
}

/** A request's secret is asked about more than once, mostly with no other in between. */
let last: { text: string; fingerprint: Fingerprint | undefined } = { text: '', fingerprint: undefined }

function made(text: string): Fingerprint | undefined {
  const { length } = text
  if (length > longest) return undefined
  let a = length
  let b = length
  let c = length
  let d = length
  for (let at = 0, key = 0; at < length; at++, key += lanes) {
    const code = text.charCodeAt(at)
    if (code > 0xff) return undefined
    a = (a + Math.imul(keys[key] as number, code)) | 0
    b = (b + Math.imul(keys[key + 1] as number, code)) | 0
    c = (c + Math.imul(keys[key + 2] as number, code)) | 0
    d = (d + Math.imul(keys[key + 3] as number, code)) | 0
  }
  return [a >>> 7, b >>> 7, c >>> 7, d >>> 7]
}

export function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one[0] === other[0] && one[1] === other[1] && one[2] === other[2] && one[3] === other[3]
}
