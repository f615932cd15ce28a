import { Skeleton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { useWords } from '../app/language.tsx'
import classes from './data-table.module.css'
import { isMain, Row, walk } from './data-table-row.tsx'
import { Icon } from './icons.tsx'
import { useFit } from './use-fit.ts'
import { common } from './words.ts'

export interface Column<T> {
  key: string
  title: string
  /** Shown in the head instead of the title. */
  head?: ReactNode
  cell(row: T): ReactNode
  number?: boolean
  /** Stays at every width, wraps, and holds the columns that do not fit; default: the one that fills. */
  main?: boolean
  /** Takes the remaining width. */
  fill?: boolean
  /** Stays at every width. */
  keep?: boolean
  /** Needs no title before its value where it is shown below the main column. */
  plain?: boolean
  /** Sort key of the API. */
  sort?: string
}

export interface TableProps<T> {
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

/**
 * Virtualized table: only visible rows are in the DOM. Arrow keys move, Enter opens. It never scrolls sideways: columns
 * that do not fit, the last ones first, are shown below the main one.
 */
export function DataTable<T>(props: TableProps<T>) {
  const { rows, empty, error } = props
  if (rows?.length === 0) return <div className="panel">{empty}</div>
  if (rows === undefined && error) return null
  return <Table {...props} />
}

function Table<T>(props: TableProps<T>) {
  const { rows, label, total, height } = props
  const words = useWords(common)
  const scroll = useRef<HTMLElement>(null)
  const movable = props.columns.filter(isMovable)
  const moved = movable.slice(movable.length - useFit(scroll, movable.length))
  const columns = props.columns.filter((column) => !moved.includes(column))
  const virtual = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: rows?.length ?? 0,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  useMoreAtTheEnd(props, items.at(-1)?.index ?? 0)
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
          <Head {...props} columns={columns} />
          <tbody onKeyDown={walk}>
            <Gap height={above} span={columns.length} />
            {rows === undefined && <Waiting span={columns.length} />}
            {items.map(({ index }) => {
              const row = rows?.[index]
              if (row === undefined) return null
              const { measureElement } = virtual
              return <Row key={props.rowKey(row)} {...props} {...{ row, index, columns, moved, measureElement }} />
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

function isMovable<T>(column: Column<T>, _at: number, columns: Column<T>[]): boolean {
  return !column.keep && !isMain(column, columns)
}

function useMoreAtTheEnd<T>({ rows, hasMore, loadMore }: TableProps<T>, lastSeen: number) {
  useEffect(() => {
    if (hasMore && rows !== undefined && lastSeen >= rows.length - 30) loadMore?.()
  }, [hasMore, rows, lastSeen, loadMore])
}

function Head<T>({ columns, sort, onSort }: TableProps<T>) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, title, head, number, sort: by }) => {
          const order = by !== undefined && sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined
          return (
            <th key={key} scope="col" className={number ? classes.number : ''} aria-sort={order}>
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
                (head ?? title)
              )}
            </th>
          )
        })}
      </tr>
    </thead>
  )
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
