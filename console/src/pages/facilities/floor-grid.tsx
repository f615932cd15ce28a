import { Button } from '@mantine/core'
import type { Area } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import classes from './floor-grid.module.css'
import { roomWords } from './room-words.ts'

interface Props {
  rows: Area[]
  hasMore: boolean
  loadMore(): void
  onOpen(area: Area): void
}

/** Floor plan of the facility: open rooms, and rooms with valid services. */
export function FloorGrid({ rows, hasMore, loadMore, onOpen }: Props) {
  const words = useWords(roomWords)
  const floors = [...Map.groupBy(rows, floorOf)].sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }))
  return (
    <>
      <div className={classes.legend}>
        <span>
          <i className={classes.swatch} data-open="" /> {words.open}
        </span>
        <span>
          <i className={classes.swatch} /> {words.closed}
        </span>
        <span>
          <i className={classes.dot} data-valid="" /> {words.services}
        </span>
      </div>
      {floors.map(([floor, areas]) => (
        <section key={floor} className={classes.floor}>
          <h2>{floor === '' ? words.others : words.floor(floor)}</h2>
          <ul className={classes.rooms}>
            {areas.map((area) => (
              <li key={area.id}>
                <Room area={area} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hasMore && (
        <Button variant="default" onClick={loadMore}>
          {words.loadAll}
        </Button>
      )}
    </>
  )
}

function Room({ area, onOpen }: { area: Area; onOpen(area: Area): void }) {
  const words = useWords(roomWords)
  const isOpen = area.opened_at !== null
  const said = `${area.id} ${area.name}, ${isOpen ? words.open : words.closed}, ${words.services}: ${words.valid(area.services_valid, area.services_count)}`
  return (
    <button
      type="button"
      className={classes.room}
      data-open={isOpen ? '' : undefined}
      aria-label={said}
      title={said}
      onClick={() => onOpen(area)}
    >
      <span className={classes.id}>{area.id}</span>
      <span className={classes.dots}>
        {Array.from({ length: Math.min(area.services_count, 6) }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: dots have no identity
          <i key={at} className={classes.dot} data-valid={at < area.services_valid ? '' : undefined} />
        ))}
        {area.services_count > 6 && `+${area.services_count - 6}`}
      </span>
    </button>
  )
}

/** Returns the floor from the room's data, or derives it from the number: 214 and B-214 are on floor 2. */
function floorOf({ id, data_general: notes }: Area): string {
  const noted = notes.map((note) => (note as { floor?: unknown }).floor).find((floor) => floor !== undefined)
  if (noted !== undefined) return String(noted)
  const [, wing = '', number = ''] = /^(?:(.*)-)?(\d{3,5})[a-z]?$/i.exec(id) ?? []
  return number === '' ? '' : `${wing} ${number.slice(0, -2)}`.trim()
}
