import { List } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { LostAccess } from '../../../src/domain/access/grant-difference.ts'
import { useLanguage, useWords } from '../app/language.tsx'
import { useFacilityNames } from '../parts/use-facility-names.ts'
import { accessText } from './change-texts.ts'
import { changeWords } from './change-words.ts'

const colors = { '−': 'var(--bad)', '+': 'var(--good)' }

/** A removed or added line; its sign is read out as a word. */
export function SignedLine({ sign, children }: { sign: '−' | '+'; children: ReactNode }) {
  const words = useWords(changeWords)
  return (
    <List.Item style={{ color: colors[sign], overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      <span aria-hidden="true">{sign} </span>
      <span className="visually-hidden">{sign === '−' ? words.removed : words.added} </span>
      {children}
    </List.Item>
  )
}

/** The permissions that a group of facilities loses or gains. */
export function AccessLine({ sign, group }: { sign: '−' | '+'; group: LostAccess }) {
  const { language } = useLanguage()
  return (
    <SignedLine sign={sign}>
      <strong title={group.rights.map(({ kind, field }) => `${kind}: ${field}`).join(', ') || undefined}>
        {accessText(group, sign === '−', language)}
      </strong>
      {' – '}
      <Facilities ids={group.facilities} />
    </SignedLine>
  )
}

const maxNames = 5

/** Names facilities; if they are many, how many they are, and their names on demand. */
function Facilities({ ids }: { ids: string[] | undefined }) {
  const words = useWords(changeWords)
  const [isOpen, setOpen] = useState(false)
  if (ids === undefined) return words.everywhere
  if (ids.length <= maxNames) return <Names ids={ids} />
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} style={{ display: 'inline' }}>
      <summary style={{ display: 'inline', cursor: 'pointer', textDecoration: 'underline dotted' }}>
        {words.facilities(ids.length)}
      </summary>
      {isOpen && (
        <>
          {': '}
          <Names ids={ids} />
        </>
      )}
    </details>
  )
}

function Names({ ids }: { ids: string[] }) {
  const words = useWords(changeWords)
  const nameOf = useFacilityNames(ids.filter((id) => id !== '*'))
  return ids.map((id) => (id === '*' ? words.others : nameOf(id) ? `${nameOf(id)} · ${id}` : id)).join(', ')
}
