/** A defect of the program that a harness brought to light, kept by hand; the page of guarantees lists them. */
export interface Defect {
  /** The harness that found it. */
  found: string
  what: string
  fix: string
}

export const defects: readonly Defect[] = [
  {
    found: 'isolation',
    what: 'The order of the headers told whether an answer was at hand, and so whether somebody had changed a hidden field.',
    fix: 'An answer has its headers in one order, however it was come by.',
  },
]
