import { Button, Group, Modal, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { pathWith } from '../../api/client.ts'
import { useChange, useList } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Partner, PartnerRow } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Faint } from '../../parts/faint.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import { Icon } from '../../parts/icons.tsx'
import { TextLink } from '../../parts/link.tsx'
import { NameAndId } from '../../parts/name-and-id.tsx'
import { Empty, NoMatch, Page } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { Ago } from '../../parts/time.tsx'
import { common } from '../../parts/words.ts'
import { webhookWords } from './webhook-words.ts'
import { partnerWords } from './words.ts'

export function PartnersPage() {
  const words = useWords(partnerWords)
  const { q } = useSearch({ from: '/signed-in/partners' })
  const navigate = useNavigate({ from: '/partners' })
  const mayEdit = useMay('admin')
  const [adding, dialog] = useDisclosure(false)
  const list = useList<PartnerRow>(pathWith('/partners', { q }))
  const addButton = mayEdit && (
    <Button leftSection={<Icon name="add" size={16} />} onClick={dialog.open}>
      {words.add}
    </Button>
  )
  return (
    <Page title={words.title} actions={addButton}>
      <Group mb="sm" className="filters">
        <SearchBox
          value={q ?? ''}
          onChange={(text) => void navigate({ search: text === '' ? {} : { q: text }, replace: true })}
        />
      </Group>
      {list.error && <ProblemNote error={list.error} onRetry={list.refetch} />}
      <DataTable
        label={words.title}
        columns={useColumns()}
        {...list}
        rowKey={(row) => row.id}
        onOpen={(row) => void navigate({ to: '/partners/$partnerId', params: { partnerId: row.id } })}
        empty={
          q === undefined ? (
            <Empty title={words.emptyTitle} action={addButton}>
              {words.empty}
            </Empty>
          ) : (
            <NoMatch title={words.noneTitle} onClear={() => void navigate({ search: {}, replace: true })} />
          )
        }
      />
      <AddPartner opened={adding} onClose={dialog.close} />
    </Page>
  )
}

function useColumns(): Column<PartnerRow>[] {
  const words = useWords(partnerWords)
  const shared = useWords(common)
  const hooks = useWords(webhookWords)
  return [
    {
      key: 'name',
      title: words.name,
      fill: true,
      cell: (row) => (
        <TextLink to="/partners/$partnerId" params={{ partnerId: row.id }} fw={600} size="sm" title={row.name}>
          {row.name}
        </TextLink>
      ),
    },
    { key: 'id', title: words.id, plain: true, cell: (row) => <code>{row.id}</code> },
    { key: 'used', title: shared.lastUsed, cell: (row) => <Ago at={row.last_used} /> },
    {
      key: 'webhooks',
      title: 'Webhooks',
      plain: true,
      cell: ({ webhooks_failing: failing, webhooks_disabled: disabled }) =>
        failing + disabled > 0 && <StateBadge mood="warn">{hooks.troubleInShort(failing, disabled)}</StateBadge>,
    },
    {
      key: 'facilities',
      title: words.facilities,
      number: true,
      cell: (row) => row.facilities_count ?? words.allFacilities,
    },
    { key: 'grants', title: words.grants, number: true, cell: (row) => row.grants_count },
    { key: 'tokens', title: words.tokens, number: true, cell: (row) => row.tokens_count },
    { key: 'contract', title: words.contract, cell: (row) => row.contract && shared.yes },
    { key: 'rate', title: words.rateLimit, cell: (row) => row.rate_limit ?? <Faint>{words.standardRate}</Faint> },
  ]
}

function AddPartner({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const words = useWords(partnerWords)
  const shared = useWords(common)
  const navigate = useNavigate()
  const create = useChange<Partner>(['/partners'], ({ data }) => {
    onClose()
    void navigate({ to: '/partners/$partnerId', params: { partnerId: data.id } })
  })
  const errors = useFieldErrors(create.error)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate({ method: 'POST', path: '/partners', body: Object.fromEntries(new FormData(event.currentTarget)) })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={words.add} closeButtonProps={{ 'aria-label': shared.close }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {create.error && <ProblemNote error={create.error} labels={{ '/name': words.name, '/id': words.id }} />}
          <NameAndId idField="id" idLabel={words.id} idHelp={words.idHelp} errors={errors} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {words.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
