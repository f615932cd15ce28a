/** Prints what a check has found. Returns it. */
export function tell(title: string, found: string[]): string[] {
  console.log(`${title}: ${found.length || 'ok'}`)
  for (const fault of found) console.log(`  ${fault}`)
  return found
}
