const oneIn = 4

/**
 * Lets one in four newcomers into a place that is full. If all were let in, whoever goes over and over through more than
 * fits would find nothing of it: each would have gone again before it is asked for a second time.
 */
export class Door {
  #came = 0

  admits(): boolean {
    return this.#came++ % oneIn === 0
  }
}
