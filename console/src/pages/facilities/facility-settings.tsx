import { Switch, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type ApiResponse, segment } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Address, Facility } from '../../api/types.ts'
import { defineWords } from '../../app/define-words.ts'
import { useWords } from '../../app/language.tsx'
import { useFieldErrors } from '../../parts/field-errors.ts'
import form from '../../parts/form.module.css'
import type { FieldLabels } from '../../parts/problem.tsx'
import { Removal } from '../../parts/removal.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { changedIn, useDraft } from '../../parts/use-draft.ts'
import { useSave } from '../../parts/use-save.ts'
import { WordInput } from '../../parts/word-input.tsx'
import { facilityWords } from './words.ts'

/** Maximum SSID length in bytes (IEEE 802.11). */
const ssidBytes = 32

const settingsWords = defineWords(
  {
    name: 'Name',
    status: 'Status',
    type: 'Type',
    timezone: 'Time zone',
    ssid_public: 'Public Wi-Fi network',
    subscription_url: 'Portal',
    ssidHelp: (bytes: number) =>
      `${bytes} of ${ssidBytes} bytes. Changing this disconnects equipment that uses the network.`,
    ssidLong: 'Too long for a Wi-Fi network name. A letter with an accent takes two bytes, an emoji four.',
    subscribed: 'Subscribed',
    room_services: 'Services per room',
    address: 'Address',
    street: 'Street',
    postal_code: 'Postal code',
    city: 'City',
    region: 'Region',
    country: 'Country (two letters)',
    remove: 'Remove facility',
    removeLine: 'Deletes its rooms, stays and list, and removes it from all permissions.',
    removeHelp: (name: string, rooms: number, open: number) =>
      `${name} will be permanently deleted, with its ${rooms === 1 ? '1 room' : `${rooms} rooms`} (${open} open) and all guest services. This cannot be undone.`,
  },
  {
    name: 'Nom',
    status: 'État',
    type: 'Type',
    timezone: 'Fuseau horaire',
    ssid_public: 'Réseau Wi-Fi public',
    subscription_url: 'Portail',
    ssidHelp: (bytes: number) =>
      `${bytes} octets sur ${ssidBytes}. Toute modification déconnecte les équipements qui utilisent ce réseau.`,
    ssidLong: 'Trop long pour un nom de réseau Wi-Fi. Une lettre accentuée prend deux octets, un emoji quatre.',
    subscribed: 'Abonné',
    room_services: 'Services par chambre',
    address: 'Adresse',
    street: 'Rue',
    postal_code: 'Code postal',
    city: 'Ville',
    region: 'Région',
    country: 'Pays (deux lettres)',
    remove: 'Supprimer l’établissement',
    removeLine: 'Supprime ses chambres, les séjours et sa liste, et le retire de toutes les autorisations.',
    removeHelp: (name: string, rooms: number, open: number) =>
      `${name} sera définitivement supprimé, avec ${rooms < 2 ? `${rooms} chambre` : `${rooms} chambres`} (dont ${open} ${open < 2 ? 'ouverte' : 'ouvertes'}) et tous les services des clients. Cette action est irréversible.`,
  },
)

const named = ['name', 'status', 'type'] as const
const texts = ['timezone', 'ssid_public', 'subscription_url'] as const
const flags = ['subscribed', 'room_services'] as const
const places = ['street', 'postal_code', 'city', 'region', 'country'] as const
const nowhere: Address = { street: null, postal_code: null, city: null, region: null, country: '' }

type Editable = Pick<Facility, (typeof named)[number] | (typeof texts)[number] | (typeof flags)[number] | 'address'>

export function FacilitySettings({ response }: { response: ApiResponse<Facility> }) {
  const words = useWords(settingsWords)
  const names = useWords(facilityWords)
  const mayEdit = useMay('editor')
  const mayRemove = useMay('admin')
  const navigate = useNavigate()
  const facility = response.data
  const base = useMemo(() => editable(facility), [facility])
  const path = `/facilities/${segment(facility.id_external)}`
  const draft = useDraft<Editable>(path, base, response.etag)
  const saving = useSave<Facility>('PATCH', path, ['/facilities'], draft)
  const { value, change } = draft
  const errors = useFieldErrors(saving.error)
  const save = () => saving.save(changedIn(value, base))
  const address = value.address ?? nowhere
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (draft.isDirty) save()
        }}
      >
        <fieldset className={form.form} disabled={!mayEdit} style={{ border: 0, padding: 0, margin: 0 }}>
          <TextInput
            label={words.name}
            required
            error={errors.at('/name')}
            value={value.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          {(['status', 'type'] as const).map((key) => (
            <WordInput
              key={key}
              label={words[key]}
              required
              words={names[key]}
              error={errors.at(`/${key}`)}
              value={value[key]}
              onChange={(text) => change({ [key]: text })}
            />
          ))}
          {texts.map((key) => (
            <TextInput
              key={key}
              label={words[key]}
              required={key === 'timezone'}
              description={key === 'ssid_public' ? words.ssidHelp(bytesOf(value.ssid_public)) : undefined}
              error={
                errors.at(`/${key}`) ?? (key === 'ssid_public' && bytesOf(value[key]) > ssidBytes && words.ssidLong)
              }
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              value={value[key] ?? ''}
              onChange={({ currentTarget: { value: text } }) =>
                change({ [key]: text === '' && key !== 'timezone' ? null : text })
              }
            />
          ))}
          {flags.map((key) => (
            <Switch
              key={key}
              label={words[key]}
              checked={value[key]}
              onChange={(event) => change({ [key]: event.currentTarget.checked })}
            />
          ))}
          <h2>{words.address}</h2>
          {places.map((key) => (
            <TextInput
              key={key}
              label={words[key]}
              error={errors.at(`/address/${key}`)}
              value={address[key] ?? ''}
              onChange={({ currentTarget: { value: text } }) =>
                change({ address: { ...address, [key]: text === '' && key !== 'country' ? null : text } })
              }
            />
          ))}
          {/* Makes Enter submit the form; the visible button is in the save bar. */}
          <button type="submit" hidden />
        </fieldset>
      </form>
      <SaveBar draft={draft} saving={saving} labels={labelsOf(words)} onSave={save} />
      {mayRemove && (
        <Removal
          line={words.removeLine}
          action={words.remove}
          help={words.removeHelp(facility.name, facility.areas_count, facility.open_count)}
          id={facility.id_external}
          path={path}
          etag={response.etag}
          list="/facilities"
          onRemoved={() => void navigate({ to: '/facilities' })}
        />
      )}
    </>
  )
}

const bytesOf = (text: string | null) => new TextEncoder().encode(text ?? '').length

function labelsOf(words: typeof settingsWords.en): FieldLabels {
  const own = [...named, ...texts, ...flags, 'address' as const].map((key) => [`/${key}`, words[key]])
  return Object.fromEntries([...own, ...places.map((key) => [`/address/${key}`, words[key]])])
}

function editable(facility: Facility): Editable {
  return Object.fromEntries(
    [...named, ...texts, ...flags, 'address'].map((key) => [key, facility[key as keyof Editable]]),
  ) as Editable
}
