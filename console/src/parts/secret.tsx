import { Button, Code, CopyButton, Group, Modal } from '@mantine/core'
import { useWords } from '../app/language.tsx'
import { Icon } from './icons.tsx'
import { Note } from './note.tsx'
import { common } from './words.ts'

/** Something that is shown this once. */
export function Secret({ title, secret, onClose }: { title: string; secret: string | undefined; onClose(): void }) {
  const words = useWords(common)
  return (
    <Modal
      opened={secret !== undefined}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Note mood="warn">{words.shownOnce}</Note>
      <Code block data-secret>
        {secret}
      </Code>
      <Group justify="flex-end" mt="md">
        <CopyButton value={secret ?? ''}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={<Icon name={copied ? 'check' : 'copy'} size={16} />} onClick={copy}>
              {copied ? words.copied : words.copy}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>{words.close}</Button>
      </Group>
    </Modal>
  )
}
