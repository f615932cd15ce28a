import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useWords } from '../app/language.tsx'
import { Icon } from './icons.tsx'
import { common } from './words.ts'

export interface RowAction {
  label: string
  /** For those who hear it without the row around it. */
  name: string
  run(): void
  /** Takes something away. */
  isLoss?: boolean
}

/** What can be done with a row: buttons beside one another; on a telephone a menu behind one that a finger finds. */
export function RowActions({ row, actions }: { row: string; actions: RowAction[] }) {
  const words = useWords(common)
  return (
    <>
      <Group gap={6} wrap="nowrap" className="wide-only">
        {actions.map(({ label, name, run, isLoss }) => (
          <Button key={label} size="compact-xs" variant="default" c={colorOf(isLoss)} aria-label={name} onClick={run}>
            {label}
          </Button>
        ))}
      </Group>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon
            className="narrow-only"
            variant="default"
            size={32}
            ml="auto"
            display="flex"
            aria-label={`${words.actions}: ${row}`}
          >
            <Icon name="more" strokeWidth={3} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ label, name, run, isLoss }) => (
            <Menu.Item key={label} c={colorOf(isLoss)} aria-label={name} onClick={run}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const colorOf = (isLoss: boolean | undefined) => (isLoss ? 'var(--bad)' : 'var(--mantine-color-text)')
