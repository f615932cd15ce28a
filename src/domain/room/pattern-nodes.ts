/** A node in the syntax tree of a regular expression, reduced to what is needed to generate matching texts. */
export type PatternNode =
  | { kind: 'character'; matching: string[] }
  | { kind: 'group'; alternatives: PatternNode[][]; isLookaround: boolean }
  | { kind: 'repetition'; of: PatternNode; min: number; max: number }

interface ParsedPattern {
  nodes: PatternNode[]
  /** The characters of which test texts are built: those that occur in the pattern, and a few common ones. */
  alphabet: string[]
  /** The characters that negated classes list, such as `a` and `b` of `[^ab]`. */
  excluded: string[]
}

const maxAlphabet = 16
const maxExcluded = 4

const tokens = {
  escape: /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<[^>]*>|\d+|.)/suy,
  class: /\[(?<excluding>\^?)(?<inner>(?:\\.|[^\]\\])*)\]/suy,
  groupStart: /\((?:\?(?:(?<lookaround><?[=!])|<[^>]*>|[a-z-]*:))?/uy,
  repetition: /(?:(?<sign>[*+?])|\{(?<min>\d+)(?<comma>,?)(?<max>\d*)\})\??/uy,
  character: /./suy,
}

/** Parses a regular expression that is valid with the flag `u`. Omits assertions such as `^`, and back references. */
export function parsePattern(pattern: string): ParsedPattern {
  return new PatternParser(pattern).whole()
}

class PatternParser {
  readonly #pattern: string
  #at = 0
  readonly #named = new Set<string>()
  readonly #excluded = new Set<string>()
  readonly #characters: { source: string; fitting: string[] }[] = []

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  whole(): ParsedPattern {
    const nodes: PatternNode[] = [{ kind: 'group', alternatives: this.#alternatives(), isLookaround: false }]
    const common = ['a', '0', ' ', ...this.#named, 'A', '-', '_', '\u00e9']
    const alphabet = [...new Set(common)].slice(0, maxAlphabet)
    for (const { source, fitting } of this.#characters) {
      const fits = new RegExp(`^(?:${source})$`, 'u')
      fitting.push(...[...alphabet, ...this.#named, '\n'].filter((one) => fits.test(one)))
    }
    return { nodes, alphabet, excluded: [...this.#excluded].slice(0, maxExcluded) }
  }

  #take(token: keyof typeof tokens): RegExpExecArray | undefined {
    tokens[token].lastIndex = this.#at
    const found = tokens[token].exec(this.#pattern) ?? undefined
    this.#at += found?.[0].length ?? 0
    return found
  }

  #alternatives(): PatternNode[][] {
    const all: PatternNode[][] = [[]]
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== ')') {
      if (this.#pattern[this.#at] === '|') {
        this.#at++
        all.push([])
      } else all.at(-1)?.push(...this.#repeated(this.#atom()))
    }
    return all
  }

  #repeated(of: PatternNode | undefined): PatternNode[] {
    const { sign, min, comma, max } = this.#take('repetition')?.groups ?? {}
    if (of === undefined) return []
    if (sign !== undefined) {
      return [{ kind: 'repetition', of, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }]
    }
    if (min === undefined) return [of]
    return [{ kind: 'repetition', of, min: Number(min), max: Number(comma === '' ? min : max || Infinity) }]
  }

  #atom(): PatternNode | undefined {
    const start = this.#take('groupStart')
    if (start !== undefined) {
      const alternatives = this.#alternatives()
      this.#at++
      return { kind: 'group', alternatives, isLookaround: start.groups?.lookaround !== undefined }
    }
    const { 0: brackets, groups } = this.#take('class') ?? {}
    if (brackets !== undefined) {
      const names = groups?.excluding ? this.#excluded : this.#named
      for (const one of groups?.inner?.replaceAll(/\\./gsu, '') ?? '') names.add(one)
      return this.#character(brackets)
    }
    const sequence = this.#take('escape')?.[0]
    if (sequence !== undefined) return /^\\(?:[bBk]|\d)/.test(sequence) ? undefined : this.#character(sequence)
    const [one = ''] = this.#take('character') ?? []
    if (one === '^' || one === '$') return undefined
    if (one !== '.') this.#named.add(one)
    return this.#character(one)
  }

  /** Returns a node whose matching characters `whole` adds at the end, when the whole alphabet is known. */
  #character(source: string): PatternNode {
    const fitting: string[] = []
    this.#characters.push({ source, fitting })
    return { kind: 'character', matching: fitting }
  }
}
