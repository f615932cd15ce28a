import { Button, Group, Modal, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { useWords } from '../app/language.tsx'
import { type FieldLabels, ProblemNote } from './problem.tsx'
import { common } from './words.ts'

interface Props {
  opened: boolean
  title: string
  action: string
  change: { error: unknown; isPending: boolean; reset(): void }
  /** Labels of the fields, for faults reported by the API. */
  labels?: FieldLabels
  children: ReactNode
  onSubmit(form: FormData): void
  onClose(): void
}

/** Dialog with a few fields and the faults that the API reports. */
export function FormDialog({ opened, title, action, change, labels, children, onSubmit, onClose }: Props) {
  const words = useWords(common)
  const close = () => {
    change.reset()
    onClose()
  }
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Modal opened={opened} onClose={close} title={title} closeButtonProps={{ 'aria-label': words.close }}>
      <form onSubmit={send}>
        <Stack gap="sm">
          {change.error !== null && change.error !== undefined && <ProblemNote error={change.error} labels={labels} />}
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
