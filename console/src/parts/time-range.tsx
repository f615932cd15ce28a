import { Button, Divider, Group, Popover, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useLanguage, useWords } from '../app/language.tsx'
import { Icon } from './icons.tsx'
import { fromLocal, type Period, periods, toLocal } from './periods.ts'
import { timeRangeWords } from './time-range-words.ts'

interface Props {
  period: Period
  /** Start and end; an empty one is unbounded. */
  onChange(period: { since: string; until: string }): void
}

/** Selects the time range of a log. It is stored in the address, so that a link shows the same entries. */
export function TimeRange({ period, onChange }: Props) {
  const words = useWords(timeRangeWords)
  const label = useLabel(period)
  const [opened, setOpened] = useState(false)
  const choose = ({ since = '', until = '' }: Period) => {
    setOpened(false)
    onChange({ since, until })
  }
  const isGiven = period.since !== undefined || period.until !== undefined
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          fw={isGiven ? 600 : 400}
          leftSection={<Icon name="audit" size={16} />}
          aria-label={`${words.period}: ${label}`}
          onClick={() => setOpened(!opened)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={words.period}>
        <Stack gap={2}>
          {(['any', 'hour', 'day', 'night', 'week'] as const).map((name) => (
            <Button
              key={name}
              size="compact-sm"
              variant="subtle"
              color="gray"
              c="var(--mantine-color-text)"
              fw={400}
              justify="flex-start"
              onClick={() => choose(periods[name](Date.now()))}
            >
              {words[name]}
            </Button>
          ))}
        </Stack>
        <Divider my="xs" />
        <Own period={period} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Own({ period, onChoose }: { period: Period; onChoose(period: Period): void }) {
  const words = useWords(timeRangeWords)
  const [isReversed, setReversed] = useState(false)
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const since = fromLocal(String(form.get('since')))
    const until = fromLocal(String(form.get('until')))
    const reversed = since !== undefined && until !== undefined && since >= until
    setReversed(reversed)
    if (!reversed) onChoose({ since, until })
  }
  return (
    <form onSubmit={show}>
      <Stack gap="xs">
        <TextInput type="datetime-local" name="since" label={words.from} defaultValue={toLocal(period.since)} />
        <TextInput
          type="datetime-local"
          name="until"
          label={words.to}
          defaultValue={toLocal(period.until)}
          error={isReversed && words.reversed}
        />
        <Group justify="flex-end">
          <Button type="submit">{words.show}</Button>
        </Group>
      </Stack>
    </form>
  )
}

function useLabel({ since, until }: Period): string {
  const words = useWords(timeRangeWords)
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  const said = (at: string) => (Number.isNaN(Date.parse(at)) ? at : format.format(new Date(at)))
  if (since !== undefined && until !== undefined) return `${said(since)} – ${said(until)}`
  if (since !== undefined) return words.since(said(since))
  return until === undefined ? words.any : words.until(said(until))
}
