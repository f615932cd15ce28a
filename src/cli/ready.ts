import { print } from './output.ts'

/** What the ready line adds about the demo: as text for people, as JSON for scripts. */
export interface DemoNotice {
  text: string
  view: object
}

/** Prints the ready line, which scripts wait for. It looks the same in every log format. */
export function printReady(url: string, options: { json?: boolean }, demo: DemoNotice | undefined): void {
  const ready = `atrium ready on ${url}`
  if (options.json) print(JSON.stringify({ ready, url, ...(demo && { demo: demo.view }) }))
  else print(demo === undefined ? ready : `${ready}\n${demo.text}`)
}
