import type { KeyboardEvent, Ref } from 'react'
import { useWords } from '../app/language.tsx'
import classes from './data-table.module.css'
import type { Column, TableProps } from './data-table.tsx'
import { common } from './words.ts'

interface RowProps<T> extends TableProps<T> {
  row: T
  index: number
  /** The columns that do not fit. */
  moved: Column<T>[]
  measureElement: Ref<HTMLTableRowElement>
}

export function Row<T>({ row, index, columns, moved, measureElement, onOpen }: RowProps<T>) {
  return (
    <tr
      ref={measureElement}
      data-index={index}
      tabIndex={onOpen ? 0 : undefined}
      aria-rowindex={index + 1}
      data-open={onOpen ? '' : undefined}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('a,button,input,label,[role=menu]')) onOpen?.(row)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) onOpen?.(row)
      }}
    >
      {columns.map((column, _at, all) => {
        const { key, cell, number, fill } = column
        if (!isMain(column, all))
          return (
            <td key={key} className={classNames({ number, fill })}>
              {cell(row)}
            </td>
          )
        return (
          <td key={key} className={classNames({ main: true, fill })}>
            {cell(row)}
            <Below row={row} columns={moved} />
          </td>
        )
      })}
    </tr>
  )
}

/** The values of columns that do not fit, except empty ones. */
function Below<T>({ row, columns }: { row: T; columns: Column<T>[] }) {
  const { labelled } = useWords(common)
  const values = columns
    .map(({ key, title, plain, cell }) => ({ key, title: plain ? null : labelled(title, ''), value: cell(row) }))
    .filter(({ value }) => value !== '' && value !== null && value !== undefined && value !== false)
  if (values.length === 0) return null
  return (
    <div className={classes.below}>
      {values.map(({ key, title, value }) => (
        <span key={key}>
          {title}
          {value}
        </span>
      ))}
    </div>
  )
}

/** Moves between rows with the arrow keys. */
export function walk(event: KeyboardEvent<HTMLElement>) {
  const row = (event.target as HTMLElement).closest('tr')
  if (row !== event.target) return
  const next =
    event.key === 'ArrowDown' || event.key === 'j'
      ? row.nextElementSibling
      : event.key === 'ArrowUp' || event.key === 'k'
        ? row.previousElementSibling
        : null
  if (!(next instanceof HTMLElement) || next.tabIndex < 0) return
  event.preventDefault()
  next.focus()
}

/** Returns whether the column holds the ones that do not fit. */
export function isMain<T>(column: Column<T>, columns: Column<T>[]): boolean {
  return columns.some(({ main }) => main) ? column.main === true : column.fill === true
}

function classNames(marks: Partial<Record<'number' | 'main' | 'fill', boolean | undefined>>): string {
  return Object.entries(marks)
    .filter(([, isSet]) => isSet)
    .map(([name]) => classes[name])
    .join(' ')
}
