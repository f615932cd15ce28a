import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useState } from 'react'

interface Props extends Omit<AutocompleteProps, 'data' | 'value' | 'defaultValue' | 'onChange' | 'name'> {
  /** Labels of the usual values. */
  words: Record<string, string>
  /** The stored value. */
  value: string
  onChange(value: string): void
}

/** Input for a word of the API that is shown by its label. Other words can be entered too. */
export function WordInput({ words, value, onChange, ...rest }: Props) {
  const label = words[value]
  const wordOf = (text: string) => Object.keys(words).find((word) => words[word] === text) ?? text
  return (
    <Autocomplete
      data={[...new Set(Object.values(words))]}
      // A whole label is no search: the others are offered beside it.
      {...(label !== undefined && { filter: ({ options }) => options })}
      value={label ?? value}
      onChange={(text) => onChange(wordOf(text))}
      {...rest}
    />
  )
}

interface FieldProps extends Omit<Props, 'value' | 'onChange'> {
  name: string
  defaultValue: string
}

/** The same input in a form that reads its fields on submission. */
export function WordField({ name, defaultValue, ...rest }: FieldProps) {
  const [value, setValue] = useState(defaultValue)
  return (
    <>
      <WordInput value={value} onChange={setValue} {...rest} />
      <input type="hidden" name={name} value={value} />
    </>
  )
}
