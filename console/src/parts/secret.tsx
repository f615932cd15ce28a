import { Button, Code, Group, Modal, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '../app/language.tsx'
import { Icon } from './icons.tsx'
import { Note } from './note.tsx'
import { secretWords } from './secret-words.ts'
import { common } from './words.ts'

interface Props {
  title: string
  secret: string | undefined
  /** What to do with it; default: to store it. */
  note?: string
  onClose(): void
}

/** Shows a secret, once; closing the dialog before copying it asks for confirmation. */
export function Secret({ title, secret, note, onClose }: Props) {
  const words = useWords(common)
  const shown = useRef<HTMLPreElement>(null)
  const [copied, setCopied] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const isCopied = copied === secret
  const close = () => {
    setAsking(false)
    onClose()
  }
  const copy = () => {
    navigator.clipboard?.writeText(secret ?? '').then(
      () => setCopied(secret),
      () => select(shown.current),
    )
    // Browsers offer the clipboard API only over HTTPS; otherwise the text is selected for copying by hand.
    if (navigator.clipboard === undefined) select(shown.current)
  }
  return (
    <Modal
      opened={secret !== undefined}
      onClose={() => (isCopied ? close() : setAsking(!isAsking))}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Note mood="warn">{note ?? words.shownOnce}</Note>
      <Code block className="whole-text" ref={shown} data-secret onCopy={() => setCopied(secret)}>
        {secret}
      </Code>
      {isAsking ? (
        <Question onStay={() => setAsking(false)} onClose={close} />
      ) : (
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => (isCopied ? close() : setAsking(true))}>
            {words.close}
          </Button>
          <Button data-autofocus leftSection={<Icon name={isCopied ? 'check' : 'copy'} size={16} />} onClick={copy}>
            {isCopied ? words.copied : words.copy}
          </Button>
        </Group>
      )}
    </Modal>
  )
}

function Question({ onStay, onClose }: { onStay(): void; onClose(): void }) {
  const words = useWords(secretWords)
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <Group justify="flex-end" mt="md">
      <Text size="sm" fw={600} mr="auto" role="alert">
        {words.question}
      </Text>
      <Button variant="default" c="var(--bad)" onClick={onClose}>
        {words.close}
      </Button>
      <Button ref={stay} onClick={onStay}>
        {words.stay}
      </Button>
    </Group>
  )
}

function select(element: Element | null): void {
  if (element !== null) getSelection()?.selectAllChildren(element)
}
