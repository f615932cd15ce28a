import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useChange } from '../api/hooks.ts'
import { Confirm } from './confirm.tsx'
import form from './form.module.css'

interface Props {
  /** One-line description of what is removed. */
  line: string
  action: string
  /** Names what will be lost. */
  help: string
  /** Further information before the confirmation. */
  more?: ReactNode
  /** Text that must be typed to confirm. */
  id: string
  path: string
  etag: string | undefined
  /** Page of the list, opened afterwards. */
  list: string
  onRemoved(): void
}

/** Section at the end of a page that removes its object. */
export function Removal({ line, action, help, more, id, path, etag, list, onRemoved }: Props) {
  const [asking, dialog] = useDisclosure(false)
  const remove = useChange([list], onRemoved)
  return (
    <div className={`panel ${form.danger}`}>
      <Text size="sm">{line}</Text>
      <Button variant="default" c="var(--bad)" onClick={dialog.open}>
        {action}
      </Button>
      <Confirm
        opened={asking}
        title={action}
        action={action}
        typed={id}
        isPending={remove.isPending}
        error={remove.error}
        onClose={dialog.close}
        onConfirm={() => remove.mutate({ method: 'DELETE', path, ifMatch: etag })}
      >
        {help}
        {more && <div className={form.more}>{more}</div>}
      </Confirm>
    </div>
  )
}
