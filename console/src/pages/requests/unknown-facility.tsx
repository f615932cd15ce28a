import { pathWith } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { TextLink } from '../../parts/link.tsx'
import { Note } from '../../parts/note.tsx'
import { nearIds } from './near-ids.ts'
import { requestWords } from './words.ts'

/** Explains that the requested facility does not exist, which the partner cannot see, and suggests similar ids. */
export function UnknownFacility({ id }: { id: string }) {
  const words = useWords(requestWords)
  // Typing errors are rare in the first two characters.
  const { data } = useRead<Facility[]>(pathWith('/facilities', { q: id.slice(0, 2), limit: '1000' }))
  const near = nearIds(
    id,
    (data?.data ?? []).map(({ id_external }) => id_external),
  )
  return (
    <Note mood="warn" title={words.noFacility(id)}>
      {words.noFacilityHelp}
      {near.length > 0 && (
        <div>
          {words.near}{' '}
          {near.map((one, at) => (
            <span key={one}>
              {at > 0 && ', '}
              <TextLink to="/facilities/$facilityId" params={{ facilityId: one }} size="sm">
                {one}
              </TextLink>
            </span>
          ))}
        </div>
      )}
    </Note>
  )
}
