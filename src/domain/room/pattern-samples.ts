import { type PatternNode, parsePattern } from './pattern-nodes.ts'

/**
 * Generates texts on which a regular expression may backtrack catastrophically
 * (https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS). Each text reaches a
 * repetition such as `(a+)+`, continues with many copies of what the repetition matches, and ends so that the text as a
 * whole does not match: the engine then tries all ways to divide the copies. Other texts may still be slow.
 */
export function slowTexts(pattern: string, length: number): string[] {
  if (pattern.length > maxPatternLength) return []
  const { nodes, alphabet, excluded } = parsePattern(pattern)
  const ends = ['\n', '\u{1F600}', '', ...excluded]
  const texts = new Set<string>()
  for (const preferred of alphabet) {
    for (const alternative of [0, 1, 2]) {
      for (const optional of [0, 1]) {
        for (const { before, round } of pumps(nodes, '', { preferred, alternative, optional })) {
          const rounds = Math.floor((length - before.length - 1) / round.length)
          if (rounds < 1) continue
          for (const end of ends) texts.add(before + round.repeat(rounds) + end)
          if (texts.size >= maxTexts) return [...texts]
        }
      }
    }
  }
  return [...texts]
}

const maxPatternLength = 1000
const maxTexts = 400
/** Repetitions with this maximum or a lower one, such as `{0,8}`, are not tested, since they are never slow. */
const fewRounds = 8
const maxCopies = 30
const maxSampleLength = 1000

/** Selects one of the many texts that match a pattern. */
interface Choice {
  preferred: string
  alternative: number
  /** How often an optional part of the pattern, such as `a` in `a*`, occurs in the text: 0 or 1 times. */
  optional: number
}

function sample(nodes: PatternNode[], choice: Choice): string {
  return nodes
    .map((node) => {
      if (node.kind === 'character') {
        return node.matching.includes(choice.preferred) ? choice.preferred : (node.matching[0] ?? '')
      }
      if (node.kind === 'group') return node.isLookaround ? '' : sample(chosen(node.alternatives, choice), choice)
      return sample([node.of], choice).repeat(Math.min(Math.max(node.min, choice.optional), node.max, maxCopies))
    })
    .join('')
    .slice(0, maxSampleLength)
}

function chosen(alternatives: PatternNode[][], { alternative }: Choice): PatternNode[] {
  return alternatives[alternative % alternatives.length] ?? []
}

/** Yields two texts per repetition: `before` matches all that precedes it, `round` what is repeated, once. */
function* pumps(nodes: PatternNode[], lead: string, choice: Choice): Generator<{ before: string; round: string }> {
  let before = lead
  for (const node of nodes) {
    if (node.kind === 'repetition') {
      const round = sample([node.of], choice)
      if (node.max > fewRounds && round !== '') yield { before, round }
      yield* pumps([node.of], before, choice)
    } else if (node.kind === 'group') {
      for (const alternative of node.alternatives) yield* pumps(alternative, before, choice)
    }
    before += sample([node], choice)
  }
}
