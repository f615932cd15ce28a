import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useWords } from '../app/language.tsx'
import classes from './data-table.module.css'
import { Icon } from './icons.tsx'
import { common } from './words.ts'

export interface RowAction {
  label: string
  /** Label for screen readers, which read it without the row. */
  name: string
  run(): void
  /** Marks a destructive action. */
  isLoss?: boolean
}

/** Actions of a row: buttons, or a menu with a touch-sized button on phones. */
export function RowActions({ row, actions }: { row: string; actions: RowAction[] }) {
  const words = useWords(common)
  return (
    <>
      <Group gap={6} wrap="nowrap" className={`wide-only ${classes.actions}`}>
        {actions.map(({ label, name, run, isLoss }) => (
          <Button
            key={label}
            size="compact-xs"
            variant="default"
            flex="none"
            c={colorOf(isLoss)}
            aria-label={name}
            onClick={run}
          >
            {label}
          </Button>
        ))}
      </Group>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon className="narrow-only" variant="default" size={32} aria-label={`${words.actions}: ${row}`}>
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
