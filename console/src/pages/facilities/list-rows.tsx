import { ActionIcon, TextInput } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useWords } from '../../app/language.tsx'
import type { FieldErrors } from '../../parts/field-errors.ts'
import { Icon } from '../../parts/icons.tsx'
import classes from './list-editor.module.css'
import type { Entry } from './list-editor.tsx'
import { listWords } from './list-words.ts'

interface Props {
  entries: Entry[]
  errors: FieldErrors
  onChange(entries: Entry[]): void
  readOnly: boolean
}

const rowHeight = 42

/** Sortable entries: dragged by their handles, or moved with Alt and the arrow keys. */
export function ListRows({ entries, errors, onChange, readOnly }: Props) {
  const scroll = useRef<HTMLDivElement>(null)
  const dragged = useRef<number>(undefined)
  const [over, setOver] = useState<number>()
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  })
  const move = (from: number, to: number) => {
    if (to >= 0 && to < entries.length) onChange(moved(entries, from, to))
  }
  return (
    <div ref={scroll} className={classes.scroll}>
      <ul className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <li
            key={index}
            className={classes.row}
            style={{ top: start }}
            data-over={over === index ? '' : undefined}
            draggable={!readOnly}
            onDragStart={() => {
              dragged.current = index
            }}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(index)
            }}
            onDrop={() => {
              setOver(undefined)
              if (dragged.current !== undefined) move(dragged.current, index)
            }}
          >
            <Row
              entry={entries[index] as Entry}
              readOnly={readOnly}
              faults={{ id: errors.at(`/entries/${index}/id`), name: errors.at(`/entries/${index}/name`) }}
              onMove={(step) => move(index, index + step)}
              onChange={(entry) => onChange(entries.with(index, entry))}
              onRemove={() => onChange(entries.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  entry: Entry
  readOnly: boolean
  faults: Record<'id' | 'name', string | undefined>
  onMove(step: number): void
  onChange(entry: Entry): void
  onRemove(): void
}

function Row({ entry, readOnly, faults, onMove, onChange, onRemove }: RowProps) {
  const words = useWords(listWords)
  const walk = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || step === 0) return
    event.preventDefault()
    onMove(step)
  }
  return (
    <>
      <button
        type="button"
        className={classes.handle}
        aria-label={words.move(entry.name)}
        onKeyDown={walk}
        disabled={readOnly}
      >
        <Icon name="drag" size={18} strokeWidth={2.5} />
      </button>
      <TextInput
        size="xs"
        aria-label={words.id}
        // The fault does not fit below the field: it is shown in the save bar, and here on hover.
        error={faults.id !== undefined}
        title={faults.id}
        value={entry.id}
        readOnly={readOnly}
        onChange={(event) => onChange({ ...entry, id: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        aria-label={words.name}
        // The fault does not fit below the field: it is shown in the save bar, and here on hover.
        error={faults.name !== undefined}
        title={faults.name}
        value={entry.name}
        readOnly={readOnly}
        onChange={(event) => onChange({ ...entry, name: event.currentTarget.value })}
      />
      {!readOnly && (
        <ActionIcon variant="subtle" color="gray" aria-label={words.remove(entry.name)} onClick={onRemove}>
          <Icon name="close" size={16} />
        </ActionIcon>
      )}
    </>
  )
}

function moved(entries: Entry[], from: number, to: number): Entry[] {
  const entry = entries[from] as Entry
  return entries.toSpliced(from, 1).toSpliced(to, 0, entry)
}
