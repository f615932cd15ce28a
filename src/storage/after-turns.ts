/**
 * Runs `work` after this many turns of the event loop. Turns pass at once on an idle node and take longer under load.
 */
export function afterTurns(turns: number, work: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, work) : work()))
}
