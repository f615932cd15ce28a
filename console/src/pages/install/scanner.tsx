import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useWords } from '../../app/language.tsx'
import { notifyProblem } from '../../parts/problem.tsx'
import classes from './install.module.css'
import { installWords } from './words.ts'

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>
}

declare global {
  interface Window {
    BarcodeDetector?: new () => Detector
  }
}

/** Uses the BarcodeDetector API of the browser; without it, the serial is typed. */
export const canScan = 'BarcodeDetector' in window && navigator.mediaDevices !== undefined

export function Scanner({ onFound }: { onFound(code: string): void }) {
  const words = useWords(installWords)
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(onFound)
  latest.current = onFound
  useEffect(() => {
    const stop = new AbortController()
    watch(video.current, stop.signal, (code) => latest.current(code)).catch(notifyProblem)
    return () => stop.abort()
  }, [])
  return (
    <div>
      <Text size="sm">{words.scanHelp}</Text>
      <video ref={video} className={classes.video} muted playsInline />
    </div>
  )
}

const everyMs = 200

async function watch(
  video: HTMLVideoElement | null,
  signal: AbortSignal,
  found: (code: string) => void,
): Promise<void> {
  if (video === null || window.BarcodeDetector === undefined) return
  const detector = new window.BarcodeDetector()
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
  const release = () => stream.getTracks().forEach((track) => void track.stop())
  if (signal.aborted) return release()
  signal.addEventListener('abort', release)
  video.srcObject = stream
  await video.play()
  while (!signal.aborted) {
    const [code] = await detector.detect(video)
    if (code !== undefined) return found(code.rawValue)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
