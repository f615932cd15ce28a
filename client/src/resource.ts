import type { Calls } from './calls.ts'

/** A group of methods about one kind of object. */
export class Resource {
  protected readonly calls: Calls

  constructor(calls: Calls) {
    this.calls = calls
  }
}
