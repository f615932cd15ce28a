import { type RefObject, useLayoutEffect, useState } from 'react'
import { useLanguage } from '../app/language.tsx'

/**
 * Returns how many columns of a table have to move out of it, so that it is not wider than the box around it. Moves one
 * after the other before the browser paints, and none back until the width of the box or the language changes.
 */
export function useFit(box: RefObject<HTMLElement | null>, movable: number): number {
  const { language } = useLanguage()
  const [width, setWidth] = useState(0)
  const [fit, setFit] = useState({ key: '', moved: 0 })
  const key = `${width} ${language}`
  const moved = fit.key === key ? Math.min(fit.moved, movable) : 0
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    // The outer width: a scroll bar that comes and goes with taller rows must not start the search again.
    const read = () => setWidth(element.offsetWidth)
    const observer = new ResizeObserver(read)
    read()
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  // Also after rows are scrolled into view, which can be wider than those before.
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = box.current ?? {}
    if (scrollWidth > clientWidth && moved < movable) setFit({ key, moved: moved + 1 })
  })
  return moved
}
