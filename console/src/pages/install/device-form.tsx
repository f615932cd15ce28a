import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Device } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { canScan, Scanner } from './scanner.tsx'
import { installWords } from './words.ts'

/** The serial is typed or scanned; a device that is known by it keeps its id and its kind. */
export function DeviceForm({ known, onSave }: { known: Device[]; onSave(device: Device): Promise<void> }) {
  const words = useWords(installWords)
  const [serial, setSerial] = useState('')
  const [type, setType] = useState('tv')
  const [isScanning, setScanning] = useState(false)
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = known.find((device) => device.serial === serial.trim())
    const made = { id: idFor(serial), type, model: null, serial: serial.trim(), status: null, area: null }
    void onSave(found ?? made)
  }
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap" gap="xs">
          <TextInput
            label={words.serial}
            size="md"
            flex={1}
            required
            value={serial}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={64}
            onChange={(event) => setSerial(event.currentTarget.value)}
          />
          {canScan && (
            <Button variant="default" size="md" onClick={() => setScanning(true)}>
              {words.scan}
            </Button>
          )}
        </Group>
        {isScanning && (
          <Scanner
            onFound={(code) => {
              setSerial(code)
              setScanning(false)
            }}
          />
        )}
        <TextInput
          label={words.type}
          size="md"
          value={type}
          required
          maxLength={64}
          onChange={(event) => setType(event.currentTarget.value)}
        />
        <Button type="submit" size="md" disabled={serial.trim() === ''}>
          {words.save}
        </Button>
      </Stack>
    </form>
  )
}

function idFor(serial: string): string {
  return serial
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
}
