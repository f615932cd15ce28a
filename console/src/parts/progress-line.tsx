import { Progress as Bar, Text } from '@mantine/core'
import { useState } from 'react'
import type { Progress } from '../api/client.ts'
import { useLanguage, useWords } from '../app/language.tsx'
import { common } from './words.ts'

/** Returns a progress callback and the last reported progress. */
export function useProgress() {
  const [progress, onProgress] = useState<Progress>()
  return { progress, onProgress, begin: () => onProgress(undefined) }
}

/** Shows progress; indeterminate until the first report. */
export function ProgressLine({ label, progress }: { label: string; progress: Progress | undefined }) {
  const { language } = useLanguage()
  const words = useWords(common)
  const { done, of } = progress ?? { done: 0, of: 0 }
  const [shownDone, shownOf] = [done, of].map((count) => count.toLocaleString(language))
  return (
    <div>
      <Bar value={of === 0 ? 0 : (100 * done) / of} aria-label={label} transitionDuration={100} />
      <Text size="xs" c="dimmed" mt={4} role="status">
        {of === 0 ? label : words.labelled(label, words.progress(shownDone ?? '', shownOf ?? ''))}
      </Text>
    </div>
  )
}
