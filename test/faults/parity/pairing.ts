/** A value on one engine, and its counterpart on the other. */
export type Pair = readonly [one: string, other: string]

export const same = (text: string): Pair => [text, text]

/** Values that are random or depend on the time: generated ids, ETags that cover them, timestamps. */
const ownParts =
  /("?[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"?|"[\w-]{27}"|\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z)/
const time = /^\d{4}-\d\d-\d\dT/

interface Moments {
  beginMs: number
  endMs: number
}

/**
 * Two responses are equal if they differ only in generated values, and if these correspond one to one: an id or ETag of
 * one engine always stands for the same one of the other, and a timestamp belongs to the same request.
 */
export class Pairing {
  readonly #others = new Map<string, string>()
  readonly #ones = new Map<string, string>()
  readonly #requests: Moments[] = []
  /** Values that were seen, for use in later requests. */
  readonly ids: Pair[] = []
  readonly tags: Pair[] = []

  /** Both engines handled one request between these moments, and no other. */
  answered(beginMs: number, endMs: number): void {
    this.#requests.push({ beginMs, endMs })
  }

  /** Returns the first difference; undefined if there is none. */
  difference(one: string, other: string): string | undefined {
    const ones = one.split(ownParts)
    const others = other.split(ownParts)
    for (const [at, part] of ones.entries()) {
      const counterpart = others[at] ?? ''
      const isAlike = at % 2 === 0 ? part === counterpart : this.#isPair(part, counterpart)
      if (!isAlike)
        return `${JSON.stringify(excerpt(part, counterpart))} and ${JSON.stringify(excerpt(counterpart, part))}`
    }
    return ones.length === others.length ? undefined : 'one is longer'
  }

  #isPair(one: string, other: string): boolean {
    if (time.test(one)) return time.test(other) && this.#isSameMoment(one, other)
    const [known, knownBack] = [this.#others.get(one), this.#ones.get(other)]
    if (known !== undefined || knownBack !== undefined) return known === other && knownBack === one
    this.#others.set(one, other)
    this.#ones.set(other, one)
    const isTag = one.length === 29
    ;(isTag ? this.tags : this.ids).push([one.replaceAll(isTag ? '' : '"', ''), other.replaceAll(isTag ? '' : '"', '')])
    return true
  }

  /** Equal, both old, or both created by the same request. */
  #isSameMoment(one: string, other: string): boolean {
    if (one === other) return true
    const [oneMs, otherMs] = [Date.parse(one), Date.parse(other)]
    return this.#requests.some(({ beginMs, endMs }) => {
      return beginMs <= oneMs && oneMs <= endMs && beginMs <= otherMs && otherMs <= endMs
    })
  }
}

function excerpt(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  return text.slice(Math.max(0, at - 40), at + 80)
}
