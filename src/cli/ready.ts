import { print } from './output.ts'

/** What is printed about the demo with the line `atrium ready`: `text` for people, `view` with --json for scripts. */
export interface DemoNotice {
  text: string
  view: object
}

/** Prints the line `atrium ready`, for which scripts wait. It looks the same in every log format. */
export function printReady(url: string, options: { json?: boolean }, demo: DemoNotice | undefined): void {
  const ready = `atrium ready on ${url}`
  if (options.json) print(JSON.stringify({ ready, url, ...(demo && { demo: demo.view }) }))
  else print(demo === undefined ? ready : `${ready}\n${demo.text}`)
}
