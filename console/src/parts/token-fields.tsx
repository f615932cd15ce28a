import { Code, Text, TextInput } from '@mantine/core'
import { useWords } from '../app/language.tsx'
import type { FieldErrors } from './field-errors.ts'
import type { SecretRow } from './secret-row.ts'
import { tokenWords } from './token-words.ts'

export function TokenFields({ known, errors }: { known?: SecretRow | undefined; errors: FieldErrors }) {
  const words = useWords(tokenWords)
  return (
    <>
      <TextInput
        label={words.name}
        description={words.nameHelp}
        name="name"
        error={errors.at('/name')}
        required
        maxLength={100}
        defaultValue={known?.name ?? ''}
        data-autofocus
      />
      <TextInput
        label={words.expires}
        description={words.expiresHelp}
        name="expires_at"
        error={errors.at('/expires_at')}
        type="date"
        defaultValue={dayOf(known?.expires_at)}
      />
      <TextInput
        label={words.ranges}
        description={words.rangesHelp}
        name="allowed_ranges"
        error={errors.at('/allowed_ranges')}
        defaultValue={known?.allowed_ranges.join(', ') ?? ''}
      />
    </>
  )
}

/** Fields of a token that was issued elsewhere, in front of those of every token. */
export function ImportFields({ errors }: { errors: FieldErrors }) {
  const words = useWords(tokenWords)
  return (
    <>
      <Text size="sm">{words.importHelp}</Text>
      <Code block>{'printf %s "$TOKEN" | sha256sum'}</Code>
      <TextInput
        label={words.sha256}
        description={words.sha256Help}
        name="sha256"
        error={errors.at('/sha256')}
        required
        maxLength={67}
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput
        label={words.rotateBy}
        description={words.rotateByHelp}
        name="rotate_by"
        error={errors.at('/rotate_by')}
        type="date"
      />
    </>
  )
}

export function importBody(form: FormData): object {
  const day = String(form.get('rotate_by') ?? '')
  return {
    ...tokenBody(form),
    sha256: String(form.get('sha256')).trim(),
    ...(day !== '' && { rotate_by: endOf(day) }),
  }
}

/** Returns the end of the chosen day, or the previous time if the day was not changed. */
export function tokenBody(form: FormData, known?: SecretRow): object {
  const day = String(form.get('expires_at') ?? '')
  const ranges = String(form.get('allowed_ranges') ?? '')
  return {
    name: form.get('name'),
    ...(day !== dayOf(known?.expires_at) && {
      expires_at: day === '' ? null : endOf(day),
    }),
    allowed_ranges: ranges.split(/[\s,]+/).filter((range) => range !== ''),
  }
}

function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString()
}

/** Formats a date for a `date` input, in local time. */
function dayOf(moment: string | null | undefined): string {
  return moment ? new Date(moment).toLocaleDateString('sv') : ''
}
