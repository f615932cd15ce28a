import { Badge, Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWords } from '../app/language.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { actionsColumn, RowActions } from './row-actions.tsx'
import type { SecretRow, SecretStep } from './secret-row.ts'
import { moodOf, StateBadge } from './state-badge.tsx'
import { Ago } from './time.tsx'
import { TokenDialogs } from './token-dialogs.tsx'
import { tokenWords } from './token-words.ts'
import { common } from './words.ts'

interface Props {
  rows: SecretRow[] | undefined
  /** API path of single ones: `/tokens` or `/keys`. */
  base: string
  /** API path of the list. */
  list: string
  createLabel: string
  empty: ReactNode
  /** Whether they are tokens, which can be imported, and whose name, expiry and addresses can be changed. */
  ofPartner?: boolean
  /** Heading of the column of owners. */
  ownerLabel?: string
}

/** Table of a partner's tokens or of operator keys, with actions to create, change, rotate and revoke. */
export function TokenTable({ rows, base, list, createLabel, empty, ofPartner = false, ownerLabel }: Props) {
  const words = useWords(tokenWords)
  const [active, setActive] = useState<SecretStep>()
  const columns = useColumns(ofPartner ? ['edit', 'rotate', 'revoke'] : ['rotate', 'revoke'], setActive, ownerLabel)
  return (
    <>
      <Group justify="flex-end" mb="sm">
        {ofPartner && (
          <Button variant="default" onClick={() => setActive({ step: 'import' })}>
            {words.importToken}
          </Button>
        )}
        <Button onClick={() => setActive({ step: 'create' })}>{createLabel}</Button>
      </Group>
      <DataTable label={createLabel} columns={columns} rows={rows} rowKey={(row) => row.id} empty={empty} />
      <TokenDialogs
        active={active}
        base={base}
        list={list}
        createLabel={createLabel}
        onDone={() => setActive(undefined)}
      />
    </>
  )
}

type Step = 'edit' | 'rotate' | 'revoke'
function useColumns(
  steps: Step[],
  setActive: (active: SecretStep) => void,
  ownerLabel: string | undefined,
): Column<SecretRow>[] {
  const words = useWords(tokenWords)
  const shared = useWords(common)
  const owner: Column<SecretRow> = { key: 'owner', title: ownerLabel ?? '', plain: true, cell: (row) => row.owner }
  return [
    { key: 'name', title: words.name, fill: true, cell: (row) => <Name row={row} /> },
    ...(ownerLabel === undefined ? [] : [owner]),
    { key: 'state', title: words.state, keep: true, cell: (row) => <State row={row} /> },
    { key: 'used', title: shared.lastUsed, cell: (row) => <Ago at={row.last_used} /> },
    { key: 'expires', title: words.expires, cell: (row) => <Ago at={row.expires_at} /> },
    { key: 'from', title: words.ranges, cell: (row) => row.allowed_ranges.join(', ') || words.anywhere },
    { key: 'id', title: words.id, plain: true, cell: (row) => <code>{row.id}</code> },
    actionsColumn(
      shared.actions,
      (row) =>
        row.state !== 'revoked' && (
          <RowActions
            row={row.name}
            actions={steps.map((step) => ({
              label: words[step],
              name: `${words[step]} ${row.name}`,
              run: () => setActive({ step, row }),
              isLoss: step === 'revoke',
            }))}
          />
        ),
    ),
  ]
}

function Name({ row }: { row: SecretRow }) {
  const words = useWords(tokenWords)
  return (
    <>
      <strong>{row.name}</strong>
      {row.rotate_by != null && row.state !== 'revoked' && (
        <Text size="xs" c="dimmed">
          {words.imported(row.rotate_by)}
        </Text>
      )}
    </>
  )
}

/** Whether its successor is used instead says more than the state of a token. */
function State({ row }: { row: SecretRow }) {
  const words = useWords(tokenWords)
  if (row.safe_to_revoke) {
    return (
      <Badge color="atrium.8" variant="filled">
        {words.safe}
      </Badge>
    )
  }
  const isReplaced = row.successor != null && row.state !== 'revoked'
  return <StateBadge mood={moodOf(row.state)}>{isReplaced ? words.replaced : words.states[row.state]}</StateBadge>
}
