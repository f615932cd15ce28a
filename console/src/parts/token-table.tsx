import { Badge, Button, Group, Select, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useChange } from '../api/hooks.ts'
import { useWords } from '../app/language.tsx'
import { Confirm } from './confirm.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { FormDialog } from './form-dialog.tsx'
import { Secret } from './secret.tsx'
import { moodOf, StateBadge } from './state-badge.tsx'
import { Ago } from './time.tsx'
import { TokenFields, tokenBody } from './token-fields.tsx'
import { tokenWords } from './token-words.ts'
import { common } from './words.ts'

export interface SecretRow {
  id: string
  name: string
  date_created: string
  expires_at: string | null
  revoked_at: string | null
  last_used: string | null
  allowed_ranges: string[]
  state: 'active' | 'expiring' | 'expired' | 'revoked'
  safe_to_revoke?: boolean
  successor?: string | null
  /** Whose it is, where the table shows more than one's. */
  owner?: string
}

interface Props {
  rows: SecretRow[] | undefined
  /** Where one of them is, `/tokens` or `/keys`. */
  base: string
  /** Where they are made and listed. */
  list: string
  createLabel: string
  empty: ReactNode
  /** Heads the column that says whose each is. */
  ownerLabel?: string
}

/** Tokens of a partner or keys of operators: make, rotate, revoke. */
export function TokenTable({ rows, base, list, createLabel, empty, ownerLabel }: Props) {
  const words = useWords(tokenWords)
  const [secret, setSecret] = useState<string>()
  const [creating, setCreating] = useState(false)
  const [rotated, setRotated] = useState<SecretRow>()
  const [revoked, setRevoked] = useState<SecretRow>()
  const [grace, setGrace] = useState<string | null>('604800')
  const done = ({ data }: { data: { secret?: string } }) => {
    setSecret(data.secret)
    setCreating(false)
    setRotated(undefined)
    setRevoked(undefined)
  }
  const change = useChange<{ secret?: string }>([list], done)
  const columns = useColumns(setRotated, setRevoked, ownerLabel)
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button onClick={() => setCreating(true)}>{createLabel}</Button>
      </Group>
      <DataTable
        label={createLabel}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        height="calc(100dvh - 300px)"
        empty={empty}
      />
      <FormDialog
        opened={creating}
        title={createLabel}
        action={words.create}
        change={change}
        onClose={() => setCreating(false)}
        onSubmit={(form) => change.mutate({ method: 'POST', path: list, body: tokenBody(form) })}
      >
        <TokenFields />
      </FormDialog>
      <FormDialog
        opened={rotated !== undefined}
        title={`${words.rotate} ${rotated?.name ?? ''}`}
        action={words.rotate}
        change={change}
        onClose={() => setRotated(undefined)}
        onSubmit={() =>
          change.mutate({
            method: 'POST',
            path: `${base}/${rotated?.id}/rotate`,
            body: { grace_seconds: Number(grace) },
          })
        }
      >
        <Text size="sm">{words.rotateHelp}</Text>
        <Select
          label={words.grace}
          value={grace}
          onChange={setGrace}
          data={Object.entries(words.graces).map(([value, label]) => ({ value, label }))}
        />
      </FormDialog>
      <Confirm
        opened={revoked !== undefined}
        title={`${words.revoke} ${revoked?.name ?? ''}`}
        action={words.revoke}
        isPending={change.isPending}
        error={change.error}
        onClose={() => setRevoked(undefined)}
        onConfirm={() => change.mutate({ method: 'DELETE', path: `${base}/${revoked?.id}` })}
      >
        {words.revokeHelp(revoked?.name ?? '')} {isUsed(revoked) && words.stillUsed}
      </Confirm>
      <Secret title={words.secretTitle} secret={secret} onClose={() => setSecret(undefined)} />
    </>
  )
}

function isUsed(row: SecretRow | undefined): boolean {
  return row?.last_used != null && Date.parse(row.last_used) > Date.now() - 86_400_000
}

function useColumns(
  rotate: (row: SecretRow) => void,
  revoke: (row: SecretRow) => void,
  ownerLabel: string | undefined,
): Column<SecretRow>[] {
  const words = useWords(tokenWords)
  const shared = useWords(common)
  const owner: Column<SecretRow> = { key: 'owner', title: ownerLabel ?? '', wide: true, cell: (row) => row.owner }
  return [
    { key: 'name', title: words.name, cell: (row) => <strong>{row.name}</strong> },
    ...(ownerLabel === undefined ? [] : [owner]),
    { key: 'id', title: words.id, wide: true, cell: (row) => <code>{row.id}</code> },
    {
      key: 'state',
      title: words.state,
      cell: (row) => (
        <Group gap={6} wrap="nowrap">
          <StateBadge mood={moodOf(row.state)}>{words.states[row.state]}</StateBadge>
          {row.safe_to_revoke && (
            <Badge color="atrium.8" variant="filled">
              {words.safe}
            </Badge>
          )}
          {row.successor != null && !row.safe_to_revoke && row.state !== 'revoked' && (
            <Badge variant="default">{words.replaced}</Badge>
          )}
        </Group>
      ),
    },
    { key: 'used', title: shared.lastUsed, wide: true, cell: (row) => <Ago at={row.last_used} /> },
    { key: 'expires', title: words.expires, wide: true, cell: (row) => <Ago at={row.expires_at} /> },
    { key: 'from', title: words.ranges, wide: true, cell: (row) => row.allowed_ranges.join(', ') || words.anywhere },
    {
      key: 'actions',
      title: shared.actions,
      cell: (row) =>
        row.state !== 'revoked' && (
          <Group gap={6} wrap="nowrap">
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${words.rotate} ${row.name}`}
              onClick={() => rotate(row)}
            >
              {words.rotate}
            </Button>
            <Button
              size="compact-xs"
              variant="default"
              c="var(--bad)"
              aria-label={`${words.revoke} ${row.name}`}
              onClick={() => revoke(row)}
            >
              {words.revoke}
            </Button>
          </Group>
        ),
    },
  ]
}
