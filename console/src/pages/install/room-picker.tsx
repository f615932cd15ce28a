import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '../../app/language.tsx'
import { Note } from '../../parts/note.tsx'
import classes from './install.module.css'
import { installWords } from './words.ts'

interface Entry {
  id: string
  name: string
}

const maxShown = 12

/** Finds rooms by prefix, ignoring case and accents. */
export function RoomPicker({ entries, onPick }: { entries: Entry[]; onPick(entry: Entry): void }) {
  const words = useWords(installWords)
  const [text, setText] = useState('')
  const query = plain(text)
  if (entries.length === 0) return <Note mood="warn">{words.noList}</Note>
  const fitting = query.length < 2 ? [] : entries.filter(({ id, name }) => plain(`${id} ${name}`).includes(query))
  return (
    <div>
      <TextInput
        data-search
        label={words.room}
        description={words.roomHelp}
        size="md"
        value={text}
        autoComplete="off"
        autoCapitalize="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={classes.rooms} aria-label={words.room}>
        {fitting.slice(0, maxShown).map((entry) => (
          <li key={entry.id}>
            <button type="button" onClick={() => onPick(entry)}>
              {entry.name} <code>{entry.id}</code>
            </button>
          </li>
        ))}
      </ul>
      {query.length >= 2 && fitting.length === 0 && (
        <Text size="sm" c="dimmed" role="status">
          {words.nothing}
        </Text>
      )}
    </div>
  )
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}
