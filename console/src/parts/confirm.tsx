import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useWords } from '../app/language.tsx'
import { ProblemNote } from './problem.tsx'
import { common } from './words.ts'

interface Props {
  opened: boolean
  title: string
  /** Names what will be lost. */
  children: ReactNode
  action: string
  /** Text that must be typed to confirm, when much is lost. */
  typed?: string
  isPending?: boolean
  /** Disables confirming, for example until a preview is loaded. */
  isDisabled?: boolean
  size?: string
  /** Whether the action is destructive. */
  isLoss?: boolean
  error?: unknown
  onConfirm(): void
  onClose(): void
}

/** Confirmation dialog for destructive actions. */
export function Confirm(props: Props) {
  const {
    opened,
    title,
    children,
    action,
    typed,
    isPending,
    isDisabled = false,
    size = 'md',
    isLoss = true,
    error,
    onConfirm,
    onClose,
  } = props
  const words = useWords(common)
  const [text, setText] = useState('')
  const isReady = typed === undefined || text === typed
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': words.close }}>
      <Stack gap="sm">
        <Text component="div" size="sm">
          {children}
        </Text>
        {error !== undefined && error !== null && <ProblemNote error={error} />}
        {typed !== undefined && (
          <TextInput
            label={words.typeToConfirm(typed)}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            color={isLoss ? 'red.9' : 'atrium'}
            disabled={!isReady || isDisabled}
            loading={isPending ?? false}
            onClick={onConfirm}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
