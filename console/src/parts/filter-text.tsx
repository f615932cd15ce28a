import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

interface FilterTextProps {
  label: string
  value: string | undefined
  onEnter(text: string): void
}

/** Text filter that is applied when typing has stopped. */
export function FilterText({ label, value = '', onEnter }: FilterTextProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const enter = () => text.trim() !== value && onEnter(text.trim())
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      value={text}
      w={200}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={enter}
      onKeyDown={(event) => event.key === 'Enter' && enter()}
    />
  )
}
