const looks = 10

/**
 * Calls when so much time has passed in which this process ran: to be held up oneself, as when the whole machine stands
 * still, is not to wait for somebody. Gives what calls it off.
 */
export function afterWaiting(forMs: number, call: () => void): () => void {
  let left = looks
  const look = () => {
    left--
    if (left === 0) call()
    else timer = setTimeout(look, forMs / looks)
  }
  let timer = setTimeout(look, forMs / looks)
  return () => clearTimeout(timer)
}
