import { Table, Text } from '@mantine/core'
import { useWords } from '../../app/language.tsx'
import { type LoggedChange, propertyChange } from '../../changes/audit-entry.ts'
import { ChangeView } from '../../changes/change-view.tsx'
import { type Mood, StateBadge } from '../../parts/state-badge.tsx'
import type { RightsChange } from '../partners/confirm-loss.tsx'
import classes from './estate-preview.module.css'
import { estateWords } from './estate-words.ts'

interface Difference {
  action: 'create' | 'update' | 'remove'
  kind: 'facility' | 'area' | 'partner'
  id: string
  changes: LoggedChange[]
  lost: string[]
}

type Tally = Record<'created' | 'updated' | 'removed' | 'unchanged', number>

export interface Outcome extends Record<'facilities' | 'areas' | 'partners', Tally> {
  differences_count: number
  differences: Difference[]
}

const moods: Record<Difference['action'], Mood> = { create: 'good', update: 'warn', remove: 'bad' }

/** What an import would change, with all values. */
export function Preview({ outcome }: { outcome: Outcome }) {
  const words = useWords(estateWords)
  const { differences, differences_count: count } = outcome
  return (
    <>
      <Text size="sm" role="status">
        {count === 0 ? words.nothing : words.summary(count, differences.length)}
      </Text>
      {count > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        <section className={classes.scroll} aria-label={words.preview} tabIndex={0}>
          <Table verticalSpacing={6} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.change}</Table.Th>
                <Table.Th>{words.values}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differences.map((difference) => (
                <Row key={`${difference.action} ${difference.kind} ${difference.id}`} difference={difference} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </>
  )
}

function Row({ difference: { action, kind, id, changes, lost } }: { difference: Difference }) {
  const words = useWords(estateWords)
  return (
    <Table.Tr>
      <Table.Td>
        <StateBadge mood={moods[action]}>{words.actions[action]}</StateBadge>
      </Table.Td>
      <Table.Td className={classes.changes}>
        <div>
          {words.kinds[kind]} <code>{id}</code>
        </div>
        {changes.map((change) => (
          <ChangeView key={change.key} change={propertyChange(change)} />
        ))}
        {lost.length > 0 && (
          <Text size="sm">{words.lost(lost.map((item) => lossText(item, words.losses)).join(', '))}</Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** Words a loss of the API, such as `3 areas` or `an open room`. */
function lossText(item: string, losses: Record<string, (count: number) => string>): string {
  const [, count = '', noun = ''] = /^(\S+) (.+?)s?$/.exec(item) ?? []
  return losses[noun]?.(Number.parseInt(count, 10) || 1) ?? item
}

/** Returns the changes of permissions in an import, those of removed partners included. */
export function rightsChanges({ differences }: Outcome): RightsChange[] {
  return differences
    .filter(({ kind, action }) => kind === 'partner' && action !== 'create')
    .map(({ id, action, changes }) => {
      const rights = changes.filter(({ key }) => key === 'grants' || key === 'webhooks')
      const values = (side: 'before' | 'after') =>
        Object.fromEntries(rights.map((change) => [change.key, change[side]]))
      if (action === 'remove') return { partner: id, before: 'all', after: { grants: [], webhooks: false } }
      return { partner: id, before: values('before'), after: values('after') }
    })
}
