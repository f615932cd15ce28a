import { print } from './output.ts'

/** Information about the demo: text for people, JSON for scripts. */
export interface DemoNotice {
  text: string
  view: object
}

/** Prints the ready line, for which scripts wait; its form does not depend on that of the log. */
export function printReady(url: string, options: { json?: boolean }, demo: DemoNotice | undefined): void {
  const ready = `atrium ready on ${url}`
  if (options.json) print(JSON.stringify({ ready, url, ...(demo && { demo: demo.view }) }))
  else print(demo === undefined ? ready : `${ready}\n${demo.text}`)
}
