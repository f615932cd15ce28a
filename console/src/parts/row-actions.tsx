import { ActionIcon, Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWords } from '../app/language.tsx'
import type { Column } from './data-table.tsx'
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

/** Returns the column of actions, which stays in sight at every width. */
export function actionsColumn<T>(title: string, cell: (row: T) => ReactNode): Column<T> {
  return { key: 'actions', title, head: <span className="visually-hidden">{title}</span>, keep: true, cell }
}

/** Actions of a row: a menu, or a button for a single one. */
export function RowActions({ row, actions }: { row: string; actions: RowAction[] }) {
  const words = useWords(common)
  const [only] = actions
  if (actions.length === 1 && only) {
    return (
      <Button size="compact-xs" variant="default" c={colorOf(only)} aria-label={only.name} onClick={only.run}>
        {only.label}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={words.labelled(words.actions, row)}>
          <Icon name="more" strokeWidth={3} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action.label} c={colorOf(action)} aria-label={action.name} onClick={action.run}>
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const colorOf = ({ isLoss }: RowAction) => (isLoss ? 'var(--bad)' : 'var(--mantine-color-text)')
