import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Device } from '../../api/types.ts'
import { useWords } from '../../app/language.tsx'
import { WordInput } from '../../parts/word-input.tsx'
import { deviceWords } from '../facilities/device-words.ts'
import type { OfflineFacility } from './offline-store.ts'
import { canScan, Scanner } from './scanner.tsx'
import { installWords } from './words.ts'

/** Form for a device. The serial is typed or scanned; a known serial keeps the id and type of its device. */
export function DeviceForm({ facility, onSave }: { facility: OfflineFacility; onSave(device: Device): Promise<void> }) {
  const words = useWords(installWords)
  const { types } = useWords(deviceWords)
  const [serial, setSerial] = useState('')
  const [type, setType] = useState(() => usualKind(facility))
  const [isScanning, setScanning] = useState(false)
  const known = facility.devices.find((device) => isSame(device.serial, serial))
  const kinds = [...new Set(facility.devices.map((device) => device.type))]
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const made = { id: idFor(serial), type, model: null, serial: serial.trim(), status: null, area: null }
    void onSave(known ?? made)
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
        <WordInput
          label={words.type}
          size="md"
          words={{ ...Object.fromEntries(kinds.map((kind) => [kind, kind])), ...types }}
          value={known?.type ?? type}
          disabled={known !== undefined}
          required
          maxLength={64}
          onChange={setType}
        />
        <Button type="submit" size="md" disabled={serial.trim() === ''}>
          {words.save}
        </Button>
      </Stack>
    </form>
  )
}

/** Normalizes case, in which scanners and typed serials differ. */
function isSame(serial: string | null, typed: string): boolean {
  return serial !== null && serial.toLowerCase() === typed.trim().toLowerCase()
}

/** Returns the most common device type of the facility; for a new one, a terminal in hospitals, else a TV. */
function usualKind({ devices, type }: OfflineFacility): string {
  const inRooms = Map.groupBy(
    devices.filter(({ area }) => area !== null),
    (device) => device.type,
  )
  const [most] = [...inRooms].sort(([, a], [, b]) => b.length - a.length)
  return most?.[0] ?? (type === 'hospital' ? 'bedside_terminal' : 'tv')
}

function idFor(serial: string): string {
  return serial
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
}
