import { Anchor, Button, Checkbox, FileButton, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { ProgressLine, useProgress } from '../../parts/progress-line.tsx'
import { type Mood, StateBadge } from '../../parts/state-badge.tsx'
import { common } from '../../parts/words.ts'
import { estateWords } from './estate-words.ts'

interface Difference {
  action: 'create' | 'update' | 'remove'
  kind: 'facility' | 'area' | 'partner'
  id: string
  changes: { key: string; before?: unknown; after?: unknown }[]
  lost: string[]
}

type Tally = Record<'created' | 'updated' | 'removed' | 'unchanged', number>

interface Outcome extends Record<'facilities' | 'areas' | 'partners', Tally> {
  differences_count: number
  differences: Difference[]
}

const moods: Record<Difference['action'], Mood> = { create: 'good', update: 'warn', remove: 'bad' }

export function Estate() {
  const words = useWords(estateWords)
  return (
    <Stack gap="xl">
      <section>
        <Title order={2} size="h4">
          {words.export}
        </Title>
        <Text size="sm" my={6}>
          {words.exportHelp}
        </Text>
        <Group gap="lg">
          {(['yaml', 'json'] as const).map((format) => (
            <Anchor key={format} href={`/cms/v1/export?format=${format}`} download={`estate.${format}`}>
              {words.download(format.toUpperCase())}
            </Anchor>
          ))}
        </Group>
      </section>
      <Import />
    </Stack>
  )
}

/** Import of an estate file: shows a dry run, then applies it on confirmation. */
function Import() {
  const words = useWords(estateWords)
  const [file, setFile] = useState<{ name: string; content: ArrayBuffer }>()
  const [prune, setPrune] = useState(false)
  const preview = useChange<Outcome>([])
  const apply = useChange<Outcome>(['/facilities', '/partners', '/areas'], () => {
    notify(words.applied)
    setFile(undefined)
    preview.reset()
  })
  const { progress, onProgress, begin } = useProgress()
  const send = (content: ArrayBuffer, options: { prune: boolean; dryRun: boolean }) => {
    begin()
    const path = `/import?dry_run=${options.dryRun}&prune=${options.prune}`
    const text = { type: 'application/yaml', content }
    const change = options.dryRun ? preview : apply
    change.mutate({ method: 'POST', path, text, onProgress })
  }
  const look = (chosen: { name: string; content: ArrayBuffer }, removing: boolean) => {
    setFile(chosen)
    setPrune(removing)
    apply.reset()
    send(chosen.content, { prune: removing, dryRun: true })
  }
  const choose = async (chosen: File | null) => {
    if (chosen !== null) look({ name: chosen.name, content: await chosen.arrayBuffer() }, prune)
  }
  const seen = preview.isPending ? undefined : preview.data?.data
  const error = preview.error ?? apply.error
  return (
    <section>
      <Title order={2} size="h4">
        {words.import}
      </Title>
      <Stack gap="sm" mt={6}>
        <Text size="sm">{words.importHelp}</Text>
        <Group>
          <FileButton onChange={(chosen) => void choose(chosen)} accept=".yaml,.yml,.json">
            {(props) => (
              <Button variant="default" {...props}>
                {words.choose}
              </Button>
            )}
          </FileButton>
          {file && <Text size="sm">{file.name}</Text>}
        </Group>
        <Checkbox
          label={words.prune}
          description={words.pruneHelp}
          checked={prune}
          onChange={({ currentTarget: { checked } }) => (file ? look(file, checked) : setPrune(checked))}
        />
        {preview.isPending && <ProgressLine label={words.looking} progress={progress} />}
        {apply.isPending && <ProgressLine label={words.applying} progress={progress} />}
        {error && <ProblemNote error={error} />}
        {seen && <Preview outcome={seen} />}
        {file && seen && seen.differences_count > 0 && (
          <Group>
            <Button
              color={prune ? 'red.9' : 'atrium'}
              loading={apply.isPending}
              onClick={() => send(file.content, { prune, dryRun: false })}
            >
              {words.apply(seen.differences_count)}
            </Button>
          </Group>
        )}
      </Stack>
    </section>
  )
}

function Preview({ outcome }: { outcome: Outcome }) {
  const words = useWords(estateWords)
  const { name } = useWords(common)
  const columns: Column<Difference>[] = [
    {
      key: 'action',
      title: words.change,
      cell: ({ action }) => <StateBadge mood={moods[action]}>{words.actions[action]}</StateBadge>,
    },
    { key: 'kind', title: words.kind, cell: ({ kind }) => words.kinds[kind] },
    { key: 'id', title: name, cell: ({ id }) => <code>{id}</code> },
    { key: 'what', title: words.what, wide: true, cell: describe },
  ]
  const { differences, differences_count: count } = outcome
  return (
    <>
      <Text size="sm" role="status">
        {count === 0 ? words.nothing : words.summary(count, differences.length)}
      </Text>
      {count > 0 && (
        <DataTable
          label={words.preview}
          columns={columns}
          rows={differences}
          rowKey={({ kind, id, action }) => `${kind} ${id} ${action}`}
          height="320px"
          empty={null}
        />
      )}
    </>
  )
}

function describe({ changes, lost }: Difference): string {
  const values = ({ key, before, after }: Difference['changes'][number]) =>
    before === undefined ? key : `${key}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`
  return [...changes.map(values), ...lost].join(', ')
}
