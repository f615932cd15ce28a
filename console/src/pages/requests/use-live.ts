import { useEffect, useRef } from 'react'

/** Reads the list again when the stream says that there is more, twice a second at most. */
export function useLive(isLive: boolean, refetch: () => void): void {
  const latest = useRef(refetch)
  latest.current = refetch
  useEffect(() => {
    if (!isLive) return
    let waiting: ReturnType<typeof setTimeout> | undefined
    const later = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined
        latest.current()
      }, 500)
    }
    const stream = new EventSource('/cms/v1/requests/stream')
    stream.addEventListener('open', later)
    stream.addEventListener('request', later)
    // A stream that cannot be had is replaced by asking.
    const timer = setInterval(() => stream.readyState !== EventSource.OPEN && later(), 3000)
    return () => {
      stream.close()
      clearTimeout(waiting)
      clearInterval(timer)
    }
  }, [isLive])
}
