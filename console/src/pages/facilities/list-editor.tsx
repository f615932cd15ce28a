import { Button, Group, Text, Tooltip } from '@mantine/core'
import type { ApiResponse } from '../../api/client.ts'
import { segment } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { useMay } from '../../api/session.ts'
import type { Facility } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { type FieldErrors, useFieldErrors } from '../../parts/field-errors.ts'
import { Empty } from '../../parts/page.tsx'
import { type FieldLabels, ProblemNote } from '../../parts/problem.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { useDraft } from '../../parts/use-draft.ts'
import { useSave } from '../../parts/use-save.ts'
import classes from './list-editor.module.css'
import { ListRows } from './list-rows.tsx'
import { listWords } from './list-words.ts'

export interface Entry {
  id: string
  name: string
}

interface StoredList {
  entries: Entry[]
  max_entries: number
}

interface Differences {
  only_in_list: Entry[]
  only_in_areas: Entry[]
  named_differently: { id: string; list_name: string; area_name: string }[]
}

export function ListEditor({ facility }: { facility: Facility }) {
  const path = `/facilities/${segment(facility.id_external)}/list`
  const list = useRead<StoredList>(path)
  const differences = useRead<Differences>(`${path}/differences`)
  const error = list.error ?? differences.error
  return (
    <>
      {error && <ProblemNote error={error} />}
      <div className={classes.columns}>
        {list.data ? <Editor path={path} response={list.data} differences={differences.data?.data} /> : <div />}
        <Report differences={differences.data?.data} />
      </div>
    </>
  )
}

interface EditorProps {
  path: string
  response: ApiResponse<StoredList>
  differences: Differences | undefined
}

function Editor({ path, response, differences }: EditorProps) {
  const words = useWords(listWords)
  const mayEdit = useMay('editor')
  const entries = response.data.entries.map(({ id, name }) => ({ id, name }))
  const draft = useDraft(path, { entries }, response.etag)
  const saving = useSave<StoredList>('PUT', path, [path, '/facilities'], draft)
  const errors = useFieldErrors(saving.error)
  const shown = draft.value.entries
  const { max_entries: most } = response.data
  const full = filled(shown, differences)
  const set = (next: Entry[]) => draft.change({ entries: next })
  return (
    <div>
      <Group mb="sm" gap="xs">
        <Text size="sm" c="dimmed" flex={1} miw={200}>
          {words.intro}
        </Text>
        {mayEdit && (
          <>
            <Tooltip label={full.length > most ? words.tooMany(full.length, most) : words.fillHelp}>
              <Button
                variant="default"
                data-disabled={full.length > most}
                aria-disabled={full.length > most}
                onClick={() => full.length <= most && set(full)}
              >
                {words.fill}
              </Button>
            </Tooltip>
            <Button variant="default" onClick={() => set([...shown, { id: '', name: '' }])}>
              {words.add}
            </Button>
          </>
        )}
      </Group>
      {mayEdit && full.length > most && (
        <Text size="sm" c="var(--warn)" mb="sm" role="note">
          {words.tooMany(full.length, most)}
        </Text>
      )}
      <div className="panel">
        {shown.length === 0 ? (
          <Empty title={words.emptyTitle}>{words.empty}</Empty>
        ) : (
          <ListRows entries={shown} errors={errors} onChange={set} readOnly={!mayEdit} />
        )}
      </div>
      <SaveBar draft={draft} saving={saving} labels={labelsOf(errors, words)} onSave={() => saving.save(draft.value)} />
    </div>
  )
}

/** Returns the row of a pointer: `/entries/12/id` is the id in line 13. */
function labelsOf({ all }: FieldErrors, words: typeof listWords.en): FieldLabels {
  const lines = all.flatMap(({ pointer }) => {
    const [, at, key] = /^\/entries\/(\d+)\/(id|name)$/.exec(pointer) ?? []
    return at === undefined ? [] : [[pointer, words.line(Number(at) + 1, words[key as 'id' | 'name'])]]
  })
  return { '/entries': words.list, ...Object.fromEntries(lines) }
}

/** Appends missing rooms to the list and updates the names of the others. */
function filled(entries: Entry[], differences: Differences | undefined): Entry[] {
  const names = new Map(differences?.named_differently.map(({ id, area_name }) => [id, area_name]))
  const known = new Set(entries.map(({ id }) => id))
  const missing = differences?.only_in_areas.filter(({ id }) => !known.has(id)) ?? []
  return [...entries.map(({ id, name }) => ({ id, name: names.get(id) ?? name })), ...missing]
}

function Report({ differences }: { differences: Differences | undefined }) {
  const words = useWords(listWords)
  if (differences === undefined) return null
  const { only_in_list: list, only_in_areas: areas, named_differently: renamed } = differences
  const groups: [string, string[]][] = [
    [words.onlyInList, list.map(({ id, name }) => `${id} · ${name}`)],
    [words.onlyInAreas, areas.map(({ id, name }) => `${id} · ${name}`)],
    [words.renamed, renamed.map(({ id, list_name, area_name }) => `${id} · ${list_name} / ${area_name}`)],
  ]
  return (
    <section className={`panel ${classes.side}`}>
      <h2>{words.differences}</h2>
      {groups.every(([, lines]) => lines.length === 0) && <Text size="sm">{words.same}</Text>}
      {groups
        .filter(([, lines]) => lines.length > 0)
        .map(([title, lines]) => (
          <div key={title}>
            <h3>
              {title} ({lines.length})
            </h3>
            <ul>
              {lines.slice(0, 50).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        ))}
    </section>
  )
}
