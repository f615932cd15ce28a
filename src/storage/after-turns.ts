/** Does it some turns of the event loop later. With nothing else to do they pass at once; under load more come in them. */
export function afterTurns(turns: number, work: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, work) : work()))
}
