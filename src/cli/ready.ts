import { print } from './output.ts'

/** What is said of the demo, to people and to scripts. */
export interface DemoNotice {
  text: string
  view: object
}

/** A plain line of its own, whatever form the log has: scripts wait for it. */
export function printReady(url: string, options: { json?: boolean }, demo: DemoNotice | undefined): void {
  const ready = `atrium ready on ${url}`
  if (options.json) print(JSON.stringify({ ready, url, ...(demo && { demo: demo.view }) }))
  else print(demo === undefined ? ready : `${ready}\n${demo.text}`)
}
