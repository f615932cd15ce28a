import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import { pathWith } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import { useMay } from '../api/session.ts'
import type { Facility, Operator, PartnerRow } from '../api/types.ts'
import { defineWords } from '../app/define-words.ts'
import { useWords } from '../app/language.tsx'
import { useFacilityNames } from './use-facility-names.ts'
import { usePartnerNames } from './use-partner-names.ts'

const selectWords = defineWords(
  { byId: (id: string) => `ID: ${id}`, looking: 'Searching…' },
  { byId: (id: string) => `Identifiant : ${id}`, looking: 'Recherche…' },
)

interface Choice {
  id: string
  name: string
}

type Props = Omit<SelectProps<string>, 'value' | 'data' | 'onChange' | 'filter'> & {
  /** The id of the chosen object; empty for none. */
  value: string | undefined
  onChange(id: string): void
}

interface ChoiceProps extends Props {
  chosenName: string | null | undefined
  search: Search
  /** What the search has found; undefined while it is under way. */
  found: Choice[] | undefined
}

/** Chooses an object by its name. Any id can be entered too: logs have ids of objects that no longer exist. */
function ChoiceSelect({ value = '', chosenName, search, found, onChange, ...rest }: ChoiceProps) {
  const words = useWords(selectWords)
  const { text, sought, onSearch } = search
  // What an earlier text has found must not be chosen by Enter.
  const options = search.isUnderWay ? [] : (found ?? []).map((one) => ({ value: one.id, label: labelOf(one) }))
  const has = (id: string) => options.some((one) => one.value === id)
  if (!search.isUnderWay && found && sought !== '' && !has(sought)) {
    options.push({ value: sought, label: words.byId(sought) })
  }
  const [first] = options
  if (value !== '' && !has(value)) {
    options.push({ value, label: chosenName ? labelOf({ id: value, name: chosenName }) : value })
  }
  // Mantine highlights no option that arrives after the key press.
  const chooseFirst = (event: KeyboardEvent<HTMLInputElement>) => {
    const isHighlighted = event.currentTarget.hasAttribute('aria-activedescendant')
    if (event.key !== 'Enter' || sought === '' || isHighlighted) return
    event.preventDefault()
    if (first === undefined) return
    onChange(first.value)
    event.currentTarget.blur()
  }
  return (
    <Select
      searchable
      clearable
      nothingFoundMessage={words.looking}
      searchValue={text}
      onSearchChange={onSearch}
      data={options}
      filter={(all) => all.options}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      onKeyDown={chooseFirst}
      {...rest}
    />
  )
}

export function FacilitySelect(props: Props) {
  const { value = '' } = props
  const search = useSearch(value)
  const chosenName = useFacilityNames(value === '' ? [] : [value])(value)
  const { data } = useRead<Facility[]>(pathWith('/facilities', { q: search.query, limit: 20 }))
  const found = data?.data.map(({ id_external: id, name }) => ({ id, name }))
  return <ChoiceSelect {...props} {...{ chosenName, search, found }} />
}

export function PartnerSelect(props: Props) {
  const { value = '' } = props
  const search = useSearch(value)
  const chosenName = usePartnerNames()(value)
  const { data } = useRead<PartnerRow[]>(pathWith('/partners', { q: search.query, limit: 20 }))
  return <ChoiceSelect {...props} {...{ chosenName, search, found: data?.data }} />
}

/** Chooses a partner, or an operator if the reader may see them. */
export function ActorSelect(props: Props) {
  const { value = '' } = props
  const search = useSearch(value)
  const nameOf = usePartnerNames()
  const operators = useRead<Operator[]>('/operators', { enabled: useMay('admin') })
  const partners = useRead<PartnerRow[]>(pathWith('/partners', { q: search.query, limit: 20 }))
  const persons = (operators.data?.data ?? []).map(({ email, name }) => ({ id: email, name }))
  const sought = persons.filter((one) => labelOf(one).toLowerCase().includes(search.query.toLowerCase()))
  const chosenName = persons.find(({ id }) => id === value)?.name ?? nameOf(value)
  const found = partners.data && [...sought, ...partners.data.data]
  return <ChoiceSelect {...props} {...{ chosenName, search, found }} />
}

type Search = ReturnType<typeof useSearch>

function useSearch(chosen: string) {
  const [text, onSearch] = useState('')
  // The label of the chosen object is no search: all objects are offered beside it.
  const isChosen = chosen !== '' && (text === chosen || text.endsWith(separator + chosen))
  const sought = isChosen ? '' : text.trim()
  const [query] = useDebouncedValue(sought, 150)
  return { text, sought, query, isUnderWay: sought !== query, onSearch }
}

const separator = ' · '
const labelOf = ({ id, name }: Choice) => name + separator + id
