import { Skeleton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useWords } from '../app/language.tsx'
import classes from './data-table.module.css'
import { Icon } from './icons.tsx'
import { common } from './words.ts'

export interface Column<T> {
  key: string
  title: string
  /** Shown in the head of a column without a title. */
  head?: ReactNode
  cell(row: T): ReactNode
  number?: boolean
  /** Hidden on phones. */
  wide?: boolean
  /** Hidden on phones and tablets. */
  roomy?: boolean
  /** Hidden on windows narrower than 1440 px. */
  broad?: boolean
  /** Takes the remaining width. */
  fill?: boolean
  /** Sort key of the API. */
  sort?: string
}

interface Props<T> {
  label: string
  columns: Column<T>[]
  rows: T[] | undefined
  total?: number | undefined
  /** Shown elsewhere on the page; a table without rows then renders nothing. */
  error?: unknown
  rowKey(row: T): string
  onOpen?: ((row: T) => void) | undefined
  hasMore?: boolean
  loadMore?: () => void
  sort?: string | undefined
  onSort?: (sort: string) => void
  empty: ReactNode
  /** Maximum height; default: the rest of the window. */
  height?: string
}

const rowHeight = 41
/** Minimum height on small windows, where the page scrolls too. */
const minRows = 6

/** Virtualized table: only visible rows are in the DOM. Arrow keys move, Enter opens. */
export function DataTable<T>(props: Props<T>) {
  const { columns, rows, label, empty, total, height } = props
  const words = useWords(common)
  const scroll = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  useMoreAtTheEnd(props, items.at(-1)?.index ?? 0)
  if (rows?.length === 0) return <div className="panel">{empty}</div>
  if (rows === undefined && props.error) return null
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const least = `${(Math.min(rows?.length ?? minRows, minRows) + 1) * rowHeight}px`
  const sizes = height === undefined ? { '--table-least': least } : { '--table-height': height }
  return (
    <>
      <section
        ref={scroll}
        className={classes.scroll}
        style={sizes as CSSProperties}
        data-fill={height === undefined ? '' : undefined}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
      >
        <table className={classes.table} aria-rowcount={total ?? rows?.length ?? -1}>
          <Head {...props} />
          <tbody onKeyDown={walk}>
            <Gap height={above} span={columns.length} />
            {rows === undefined && <Waiting span={columns.length} />}
            {items.map(({ index }) => {
              const row = rows?.[index]
              return row === undefined ? null : <Row key={props.rowKey(row)} row={row} index={index} {...props} />
            })}
            <Gap height={below} span={columns.length} />
          </tbody>
        </table>
      </section>
      <div className={classes.foot} role="status">
        {rows === undefined ? words.loading : words.rows(rows.length, total, props.hasMore ?? false)}
      </div>
    </>
  )
}

function useMoreAtTheEnd<T>({ rows, hasMore, loadMore }: Props<T>, lastSeen: number) {
  useEffect(() => {
    if (hasMore && rows !== undefined && lastSeen >= rows.length - 30) loadMore?.()
  }, [hasMore, rows, lastSeen, loadMore])
}

function Head<T>({ columns, sort, onSort }: Props<T>) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, title, head, number, wide, roomy, broad, sort: by }) => {
          const order = by !== undefined && sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined
          if (title === '')
            return (
              <td key={key} className={classes.blank}>
                {head}
              </td>
            )
          return (
            <th key={key} scope="col" className={classNames({ number, wide, roomy, broad })} aria-sort={order}>
              {by !== undefined && onSort ? (
                <button
                  type="button"
                  className={classes.sort}
                  onClick={() => onSort(order === 'ascending' ? `-${by}` : by)}
                >
                  {title}
                  {order && <Icon name={order === 'ascending' ? 'up' : 'down'} size={12} />}
                </button>
              ) : (
                title
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
}

function Row<T>({ row, index, columns, onOpen }: Props<T> & { row: T; index: number }) {
  return (
    <tr
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
      {columns.map(({ key, cell, number, wide, roomy, broad, fill }) => (
        <td key={key} className={`${classNames({ number, wide, roomy, broad })} ${fill ? classes.fill : ''}`}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

function walk(event: KeyboardEvent<HTMLElement>) {
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

function Gap({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td className={classes.gap} colSpan={span} style={{ '--gap-height': `${height}px` } as CSSProperties} />
    </tr>
  )
}

function Waiting({ span }: { span: number }) {
  return [0, 1, 2, 3, 4, 5].map((line) => (
    <tr key={line}>
      <td colSpan={span}>
        <Skeleton height={12} width={`${70 - line * 6}%`} />
      </td>
    </tr>
  ))
}

type ClassFlags = Record<'number' | 'wide' | 'roomy' | 'broad', boolean | undefined>

function classNames({ number, wide, roomy, broad }: ClassFlags): string {
  return [number && classes.number, wide && 'wide-only', roomy && 'roomy-only', broad && 'broad-only']
    .filter(Boolean)
    .join(' ')
}
