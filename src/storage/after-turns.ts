/**
 * Runs `work` after this many turns of the event loop, so that more work can join a batch meanwhile. On an idle node
 * the turns take almost no time; under load they take longer.
 */
export function afterTurns(turns: number, work: () => void): void {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, work) : work()))
}
