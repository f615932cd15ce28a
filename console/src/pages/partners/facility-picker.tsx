import { Button, Combobox, Group, Pill, PillsInput, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { pathWith } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { useFacilityNames } from '../../parts/use-facility-names.ts'
import classes from './facility-picker.module.css'
import { pickerWords } from './facility-picker-words.ts'
import { idsInText, isLikeAnId, typedIds } from './pasted-ids.ts'

interface Props {
  value: string[]
  onChange(facilities: string[]): void
  /** Fault reported by the API. */
  error?: string | undefined
}

/** Number of facilities shown initially, so that a long list does not hide the rest of the form. */
const shownInitially = 6

/** Selects facilities by name, id or pasted list; unknown ids are marked, to be corrected or removed. */
export function FacilityPicker({ value, onChange, error }: Props) {
  const words = useWords(pickerWords)
  const nameOf = useFacilityNames(value)
  const [text, setText] = useState('')
  const [isWhole, setWhole] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const unknown = value.filter((id) => nameOf(id) === null)
  const add = (ids: string[]) => {
    onChange([...new Set([...value, ...ids])])
    setText('')
  }
  const remove = (ids: string[]) => onChange(value.filter((id) => !ids.includes(id)))
  const correct = (id: string) => {
    remove([id])
    setText(id)
    input.current?.focus()
  }
  const known = value.filter((id) => !unknown.includes(id))
  // Faulty and recently added facilities are always shown.
  const shown = [...unknown, ...(isWhole ? known : known.slice(-shownInitially))]
  return (
    <div>
      <Search
        text={text}
        setText={setText}
        chosen={value}
        onAdd={add}
        onBackspace={() => remove(shown.slice(-1))}
        input={input}
        invalid={unknown.length > 0 || error !== undefined}
      >
        {shown.map((id) => (
          <Chip key={id} id={id} name={nameOf(id)} onRemove={() => remove([id])} onCorrect={() => correct(id)} />
        ))}
      </Search>
      {known.length > shownInitially && (
        <Button size="compact-sm" variant="subtle" mt={4} onClick={() => setWhole(!isWhole)}>
          {isWhole ? words.fewer : words.more(value.length - shown.length)}
        </Button>
      )}
      {unknown.length > 0 && (
        <Group gap={8} mt={4} role="alert">
          <Text size="xs" c="var(--bad)">
            {words.unknown(unknown.slice(0, 5).join(', '), unknown.length - 5)}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => remove(unknown)}>
            {words.removeUnknown(unknown.length)}
          </Button>
        </Group>
      )}
      {error !== undefined && unknown.length === 0 && (
        <Text size="xs" c="var(--bad)" mt={4} role="alert">
          {error}
        </Text>
      )}
    </div>
  )
}

interface ChipProps {
  id: string
  /** Null for an unknown facility. */
  name: string | null | undefined
  onRemove(): void
  onCorrect(): void
}

function Chip({ id, name, onRemove, onCorrect }: ChipProps) {
  const words = useWords(pickerWords)
  const label = name ? `${name} · ${id}` : id
  return (
    <Pill
      className={classes.chip}
      classNames={{ label: classes.label, remove: classes.remove }}
      data-unknown={name === null ? '' : undefined}
      title={label}
      withRemoveButton
      removeButtonProps={{ 'aria-label': words.remove(id), 'aria-hidden': false, tabIndex: 0 }}
      onRemove={onRemove}
    >
      {name === null ? (
        <button type="button" className={classes.correct} aria-label={words.correct(id)} onClick={onCorrect}>
          {id}
        </button>
      ) : (
        label
      )}
    </Pill>
  )
}

interface SearchProps {
  text: string
  setText(text: string): void
  chosen: string[]
  onAdd(ids: string[]): void
  onBackspace(): void
  input: RefObject<HTMLInputElement | null>
  invalid: boolean
  children: ReactNode
}

function Search({ text, setText, chosen, onAdd, onBackspace, input, invalid, children }: SearchProps) {
  const words = useWords(pickerWords)
  const box = useCombobox({ onDropdownClose: () => box.resetSelectedOption() })
  const query = useDebouncedValue(text.trim(), 150)[0]
  const found = useRead<Facility[]>(pathWith('/facilities', { q: query, limit: 20 }), { keep: true })
  const isCurrent = query === text.trim() && !found.isPlaceholderData
  const options = (found.data?.data ?? []).filter(({ id_external: id }) => !chosen.includes(id))
  const add = (ids: string[]) => {
    onAdd(ids)
    box.closeDropdown()
  }
  const { selectFirstOption } = box
  // Enter takes the first facility that was found.
  useEffect(() => {
    if (isCurrent && query !== '') selectFirstOption()
  }, [isCurrent, query, selectFirstOption])
  const change = (typed: string) => {
    const ids = typedIds(typed)
    if (ids.length > 0) return add(ids)
    setText(typed)
    if (typed.trim() !== '') box.openDropdown()
    box.resetSelectedOption()
  }
  const paste = (event: ClipboardEvent) => {
    const ids = idsInText(event.clipboardData.getData('text'))
    if (ids.length < 2) return
    event.preventDefault()
    add(ids)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Backspace' && text === '') return onBackspace()
    if (event.key !== 'Enter' || box.getSelectedOptionIndex() >= 0 || text.trim() === '') return
    event.preventDefault()
    event.stopPropagation()
    // A name that is still searched for is not taken for an id.
    if (isCurrent ? options.length === 0 : isLikeAnId(text.trim())) add([text.trim()])
  }
  return (
    <Combobox store={box} width={320} position="bottom-start" onOptionSubmit={(id) => add([id])}>
      <Combobox.DropdownTarget>
        <PillsInput size="xs" error={invalid}>
          <Pill.Group>
            {children}
            <Combobox.EventsTarget>
              <PillsInput.Field
                ref={input}
                aria-label={words.facilities}
                placeholder={words.find}
                value={text}
                aria-invalid={invalid}
                onChange={(event) => change(event.currentTarget.value)}
                onPaste={paste}
                onKeyDown={press}
                onBlur={() => box.closeDropdown()}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options mah={240} style={{ overflowY: 'auto' }} aria-label={words.facilities}>
          {options.map(({ id_external: id, name, address }) => (
            <Combobox.Option key={id} value={id}>
              {name} · <code>{id}</code> {address?.city && <small>{address.city}</small>}
            </Combobox.Option>
          ))}
          {options.length === 0 && <Combobox.Empty>{isCurrent ? words.none : words.looking}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
