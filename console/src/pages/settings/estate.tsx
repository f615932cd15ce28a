import { Anchor, Button, Checkbox, FileButton, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { useWords } from '../../app/language.tsx'
import { notify, ProblemNote } from '../../parts/problem.tsx'
import { ProgressLine, useProgress } from '../../parts/progress-line.tsx'
import { useLossQuestion } from '../partners/confirm-loss.tsx'
import { type Outcome, Preview, rightsChanges } from './estate-preview.tsx'
import { estateWords } from './estate-words.ts'

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

/** Import of an estate file: shows a dry run, asks before partners lose permissions, then applies the file. */
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
  const { ask, question } = useLossQuestion('apply')
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
              onClick={() => ask(rightsChanges(seen), () => send(file.content, { prune, dryRun: false }))}
            >
              {words.apply(seen.differences_count)}
            </Button>
          </Group>
        )}
        {question}
      </Stack>
    </section>
  )
}
