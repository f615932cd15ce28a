import { TextInput } from '@mantine/core'
import { useWords } from '../app/language.tsx'
import { tokenWords } from './token-words.ts'

export function TokenFields() {
  const words = useWords(tokenWords)
  return (
    <>
      <TextInput label={words.name} description={words.nameHelp} name="name" required maxLength={100} data-autofocus />
      <TextInput label={words.expires} description={words.expiresHelp} name="expires_at" type="date" />
      <TextInput label={words.ranges} description={words.rangesHelp} name="allowed_ranges" />
    </>
  )
}

/** A day that was chosen counts to its end. */
export function tokenBody(form: FormData): object {
  const day = String(form.get('expires_at') ?? '')
  const ranges = String(form.get('allowed_ranges') ?? '')
  return {
    name: form.get('name'),
    expires_at: day === '' ? null : new Date(`${day}T23:59:59`).toISOString(),
    allowed_ranges: ranges.split(/[\s,]+/).filter((range) => range !== ''),
  }
}
