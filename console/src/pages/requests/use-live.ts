import { useEffect, useRef } from 'react'

/** Reloads the list when the stream reports new entries, at most twice a second. */
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
    // Falls back to polling when the stream cannot be opened.
    const timer = setInterval(() => stream.readyState !== EventSource.OPEN && later(), 3000)
    return () => {
      stream.close()
      clearTimeout(waiting)
      clearInterval(timer)
    }
  }, [isLive])
}
