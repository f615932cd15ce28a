import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Problem } from '../api/client.ts'
import { useWords } from '../app/language.tsx'
import { ConflictDialog } from './conflict.tsx'
import { type FieldLabels, ProblemNote } from './problem.tsx'
import classes from './save-bar.module.css'
import type { Draft } from './use-draft.ts'
import type { Saving } from './use-save.ts'
import { common } from './words.ts'

interface Props<T, S> {
  draft: Draft<T & object>
  saving: Saving<S>
  onSave(): void
  /** Labels of the fields, for faults reported by the API. */
  labels?: FieldLabels
  /** Whether the page has several forms and itself warns before leaving. */
  isGuarded?: boolean
  /** Called before the version of another operator is overwritten; default: proceeds at once. */
  onOverwrite?: (theirs: S, proceed: () => void) => void
}

/** Bar shown while changes are unsaved; warns before leaving the page. */
export function SaveBar<T, S>({ draft, saving, onSave, labels = {}, isGuarded = false, onOverwrite }: Props<T, S>) {
  const words = useWords(common)
  const { error } = saving
  useFocusOnFault(error)
  return (
    <>
      {(draft.isDirty || error != null) && (
        <div className={classes.bar}>
          {error != null && (
            <div className={classes.error}>
              <ProblemNote error={error} labels={labels}>
                {error instanceof Problem && error.status === 0 && words.draftKept}
              </ProblemNote>
            </div>
          )}
          {draft.isDirty && (
            <>
              {draft.isOld && (
                <Text size="sm" c="dimmed" mr="auto">
                  {words.draftFound}
                </Text>
              )}
              <Button variant="default" onClick={() => discard(draft, saving)}>
                {words.discard}
              </Button>
              <Button onClick={onSave} loading={saving.isPending}>
                {words.save}
              </Button>
            </>
          )}
        </div>
      )}
      {!isGuarded && <LeaveGuard draft={draft} />}
      <ConflictDialog saving={saving} labels={labels} onOverwrite={onOverwrite} />
    </>
  )
}

function discard<T, S>(draft: Draft<T & object>, saving: Saving<S>) {
  draft.discard()
  saving.closeConflict()
}

/** Focuses the first field that the API refused. */
function useFocusOnFault(error: unknown) {
  useEffect(() => {
    if (error != null) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus()
  }, [error])
}

export function LeaveGuard<T>({ draft }: { draft: Draft<T & object> }) {
  const { isDirty } = draft
  const words = useWords(common)
  const { status, proceed, reset } = useBlocker({
    // Switching tabs of the same page keeps the draft.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  const leave = () => {
    draft.discard()
    proceed?.()
  }
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={words.unsavedTitle}
      closeButtonProps={{ 'aria-label': words.stay }}
    >
      <Text size="sm">{words.unsaved}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={leave}>
          {words.leave}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {words.stay}
        </Button>
      </Group>
    </Modal>
  )
}
