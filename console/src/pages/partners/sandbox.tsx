import { Button, Group, MultiSelect, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { segment } from '../../api/client.ts'
import { useChange, useList, useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Sandbox } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Ago, DateTime } from '../../parts/time.tsx'
import { SandboxActions } from './sandbox-actions.tsx'
import { sandboxWords } from './sandbox-words.ts'
import { Tokens } from './tokens.tsx'

/** The sandbox of a partner: copies of facilities for tests. */
export function SandboxTab({ partner }: { partner: string }) {
  const path = `/partners/${segment(partner)}`
  const { data, error } = useRead<Sandbox[]>(`${path}/sandboxes`)
  if (error) return <ProblemNote error={error} />
  if (data === undefined) return null
  const [sandbox] = data.data
  return sandbox ? <Present sandbox={sandbox} path={path} /> : <NoSandbox path={path} />
}

function NoSandbox({ path }: { path: string }) {
  const words = useWords(sandboxWords)
  const mayEdit = useMay('admin')
  const [asking, dialog] = useDisclosure(false)
  const [chosen, choose] = useState<string[]>([])
  const change = useChange<Sandbox>([`${path}/sandboxes`], dialog.close)
  const { rows = [] } = useList<{ facility: string; name: string }>(`${path}/access?limit=200`)
  const action = mayEdit && <Button onClick={dialog.open}>{words.make}</Button>
  return (
    <>
      <Empty title={words.none} action={action}>
        {words.noneHelp}
      </Empty>
      <FormDialog
        opened={asking}
        title={words.make}
        action={words.create}
        change={change}
        labels={{ '/facilities': words.facilities }}
        onClose={dialog.close}
        onSubmit={() => change.mutate({ method: 'POST', path: `${path}/sandbox`, body: { facilities: chosen } })}
      >
        <MultiSelect
          label={words.facilities}
          description={words.facilitiesHelp}
          data={rows.map(({ facility, name }) => ({ value: facility, label: `${name} (${facility})` }))}
          value={chosen}
          onChange={choose}
          searchable
          maxValues={20}
        />
      </FormDialog>
    </>
  )
}

function Present({ sandbox, path }: { sandbox: Sandbox; path: string }) {
  const words = useWords(sandboxWords)
  const mayEdit = useMay('admin')
  const { id, facilities, clock, last_reset } = sandbox
  return (
    <Stack gap="md">
      <Group gap="xl" align="flex-start">
        <Fact name={words.id}>
          <code>{id}</code>
        </Fact>
        <Fact name={words.clock}>
          <DateTime at={new Date(Date.now() + clock.ahead_seconds * 1000).toISOString()} />{' '}
          <Text span size="xs" c="dimmed">
            {clock.ahead_seconds === 0 ? words.realTime : words.ahead}
          </Text>
        </Fact>
        <Fact name={words.lastReset}>
          <Ago at={last_reset} />
        </Fact>
      </Group>
      <ul>
        {facilities.map(({ id_external, copy_of, name }) => (
          <li key={id_external}>
            {name} <code>{id_external}</code>{' '}
            <Text span size="xs" c="dimmed">
              {words.copyOf(copy_of)}
            </Text>
          </li>
        ))}
      </ul>
      {mayEdit && (
        <>
          <SandboxActions id={id} path={path} />
          <Title order={2} size="h5">
            {words.tokens}
          </Title>
          <Tokens partner={id} />
        </>
      )}
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="div" size="sm">
        {children}
      </Text>
    </div>
  )
}
