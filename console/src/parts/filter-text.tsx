import { TextInput } from '@mantine/core'

interface FilterTextProps {
  label: string
  value: string | undefined
  onEnter(text: string): void
}

/** A filter that counts when it has been typed to its end. */
export function FilterText({ label, value, onEnter }: FilterTextProps) {
  return (
    <TextInput
      key={value}
      aria-label={label}
      placeholder={label}
      defaultValue={value ?? ''}
      w={170}
      onBlur={(event) =>
        event.currentTarget.value.trim() !== (value ?? '') && onEnter(event.currentTarget.value.trim())
      }
      onKeyDown={(event) => event.key === 'Enter' && onEnter(event.currentTarget.value.trim())}
    />
  )
}
