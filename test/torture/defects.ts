/** A defect of the program that a harness brought to light, kept by hand; the page of guarantees lists them. */
export interface Defect {
  /** The harness that found it. */
  found: string
  what: string
  fix: string
}

export const defects: readonly Defect[] = []
