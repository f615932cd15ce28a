import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useWords } from '../app/language.tsx'
import { Icon } from './icons.tsx'
import { common } from './words.ts'

/** Search box of a page, focused by `/`. The text is written to the address after a short delay. */
export function SearchBox({ value, onChange }: { value: string; onChange(text: string): void }) {
  const words = useWords(common)
  const [text, setText] = useState(value)
  const later = useDebouncedCallback(onChange, 200)
  useEffect(() => setText(value), [value])
  return (
    <TextInput
      data-search
      type="search"
      aria-label={words.search}
      placeholder={`${words.search}  /`}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      maxLength={255}
      w={260}
      onChange={(event) => {
        setText(event.currentTarget.value)
        later(event.currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('')
        if (event.key === 'ArrowDown') focusFirstRow()
      }}
    />
  )
}

/** Moves the focus from the search box to the results. */
function focusFirstRow() {
  document.querySelector<HTMLElement>('main tbody tr[tabindex]')?.focus()
}
