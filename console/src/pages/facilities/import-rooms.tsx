import { Button, Checkbox, CopyButton, FileButton, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { segment } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import type { Facility } from '../../api/types.ts'
import { useLanguage, useWords } from '../../app/language.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { faultIn } from '../../parts/fault-words.ts'
import { Icon } from '../../parts/icons.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { ProgressLine, useProgress } from '../../parts/progress-line.tsx'
import { type Mood, StateBadge } from '../../parts/state-badge.tsx'
import { common } from '../../parts/words.ts'
import { roomWords } from './room-words.ts'

interface ImportRow {
  line: number
  id: string
  name?: string
  action: 'create' | 'update' | 'unchanged' | 'error'
  changes: { key?: string; before?: unknown; after?: unknown }[]
  error: string | null
}

interface Preview {
  created: number
  updated: number
  unchanged: number
  errors: number
  rows: ImportRow[]
}

interface Props {
  facility: Facility
  opened: boolean
  onClose(): void
}

const moods: Record<ImportRow['action'], Mood> = { create: 'good', update: 'warn', unchanged: 'plain', error: 'bad' }

/** Import of rooms from CSV: shows a dry run row by row, then applies it on confirmation. */
export function ImportRooms({ facility, opened, onClose }: Props) {
  const words = useWords(roomWords)
  const shared = useWords(common)
  const [file, setFile] = useState<ArrayBuffer>()
  const path = `/facilities/${segment(facility.id_external)}`
  const preview = useChange<Preview>([])
  const apply = useChange<Preview>([path, '/facilities'], ({ data }) => {
    notify(words.imported(data.created + data.updated))
    close()
  })
  const { progress, onProgress, begin } = useProgress()
  const send = (content: ArrayBuffer, dryRun: boolean) => {
    begin()
    const text = { type: 'text/csv', content }
    const to = { method: 'POST', path: `${path}/areas/import?dry_run=${dryRun}`, text } as const
    if (dryRun) preview.mutate(to)
    else apply.mutate({ ...to, onProgress })
  }
  const close = () => {
    setFile(undefined)
    preview.reset()
    apply.reset()
    onClose()
  }
  const choose = async (chosen: File | null) => {
    if (chosen === null) return
    // Sent as bytes: decoding here would silently replace invalid UTF-8.
    const content = await chosen.arrayBuffer()
    setFile(content)
    send(content, true)
  }
  const seen = preview.data?.data
  const error = preview.error ?? apply.error
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="xl"
      title={words.importCsv}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <Stack gap="sm">
        <Text size="sm">{words.importHelp}</Text>
        <Group>
          <FileButton onChange={(chosen) => void choose(chosen)} accept="text/csv,.csv">
            {(props) => (
              <Button variant="default" {...props}>
                {words.chooseFile}
              </Button>
            )}
          </FileButton>
          {seen && (
            <Text size="sm" role="status">
              {words.summary(seen.created, seen.updated, seen.unchanged, seen.errors)}
            </Text>
          )}
        </Group>
        {preview.isPending && <ProgressLine label={words.looking} progress={undefined} />}
        {apply.isPending && <ProgressLine label={words.importing} progress={progress} />}
        {error && <ProblemNote error={error} />}
        {seen && <PreviewTable key={preview.submittedAt} rows={seen.rows} />}
        {seen && seen.errors > 0 && (
          <Text size="sm" c="red.9">
            {words.fixErrors}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {shared.cancel}
          </Button>
          <Button
            disabled={seen === undefined || seen.errors > 0 || file === undefined}
            loading={apply.isPending}
            onClick={() => file !== undefined && send(file, false)}
          >
            {words.apply}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

function PreviewTable({ rows }: { rows: ImportRow[] }) {
  const words = useWords(roomWords)
  const { language } = useLanguage()
  const shared = useWords(common)
  const { name } = shared
  const columns: Column<ImportRow>[] = [
    { key: 'line', title: words.line, number: true, cell: (row) => row.line },
    { key: 'id', title: words.id, keep: true, cell: (row) => <code>{row.id}</code> },
    { key: 'name', title: name, plain: true, cell: (row) => row.name ?? '' },
    {
      key: 'action',
      title: words.preview,
      keep: true,
      cell: (row) => <StateBadge mood={moods[row.action]}>{words.actions[row.action]}</StateBadge>,
    },
    {
      key: 'why',
      title: words.details,
      fill: true,
      cell: (row) => {
        if (row.error) return faultIn(language, row.error)
        if (row.action === 'create' && !/^[\w.-]+$/.test(row.id)) return words.unusualId
        return row.changes
          .map(({ key, before, after }) => `${key}: ${formatValue(before)} → ${formatValue(after)}`)
          .join(', ')
      },
    },
  ]
  const [onlyErrors, setOnlyErrors] = useState(false)
  const errors = rows.filter(({ action }) => action === 'error')
  return (
    <>
      {errors.length > 0 && (
        <Group>
          <Checkbox
            label={words.onlyErrors}
            checked={onlyErrors}
            onChange={(event) => setOnlyErrors(event.currentTarget.checked)}
          />
          <CopyButton value={errors.map(asLine).join('\n')}>
            {({ copied, copy }) => (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
                onClick={copy}
              >
                {copied ? shared.copied : words.copyErrors}
              </Button>
            )}
          </CopyButton>
        </Group>
      )}
      <DataTable
        label={words.preview}
        columns={columns}
        rows={onlyErrors ? errors : rows}
        rowKey={(row) => String(row.line)}
        height="320px"
        empty={null}
      />
    </>
  )
}

/** Formats the errors as text, to paste into a spreadsheet or an e-mail. */
const asLine = ({ line, id, name = '', error }: ImportRow) => [line, id, name, error].join('\t')

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
