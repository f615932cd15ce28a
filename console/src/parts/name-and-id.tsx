import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { defineWords } from '../app/define-words.ts'
import { useWords } from '../app/language.tsx'
import type { FieldErrors } from './field-errors.ts'
import { common } from './words.ts'

const idWords = defineWords(
  { form: 'At most 64 letters and digits, with . _ - between them.' },
  { form: 'Au plus 64 lettres et chiffres, séparés au besoin par . _ -' },
)

interface Props {
  /** Name of the id field in the API. */
  idField: string
  idLabel: string
  idHelp: string
  errors: FieldErrors
}

/** Inputs for a name and an id; the id is derived from the name until it is edited. */
export function NameAndId({ idField, idLabel, idHelp, errors }: Props) {
  const words = useWords(idWords)
  const { name: nameLabel } = useWords(common)
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<string>()
  const id = typed ?? proposedId(name)
  const isUsable = id === '' || /^[a-z0-9]([\w.-]{0,62}[a-z0-9])?$/i.test(id)
  return (
    <>
      <TextInput
        label={nameLabel}
        name="name"
        required
        data-autofocus
        maxLength={255}
        value={name}
        error={errors.at('/name')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={idLabel}
        name={idField}
        description={idHelp}
        required
        maxLength={64}
        value={id}
        error={isUsable ? errors.at(`/${idField}`) : words.form}
        // Typed text replaces the proposal.
        onFocus={(event) => typed === undefined && event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value || undefined)}
      />
    </>
  )
}

/** Derives an id from a name: `Hôtel du Lac & Spa` becomes `hotel-du-lac-spa`. */
function proposedId(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replaceAll(/^-+|-+$/g, '')
}
