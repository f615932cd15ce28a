/** Runs work after some turns of the event loop: at once on an idle node, later under load. */
export function afterTurns(turns: number, work: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, work) : work()))
}
