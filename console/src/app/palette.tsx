import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { pathWith } from '../api/client.ts'
import { useRead } from '../api/hooks.ts'
import type { Facility, PartnerRow } from '../api/types.ts'
import { Icon } from '../parts/icons.tsx'
import { useWords } from './language.tsx'
import { navigation } from './navigation.ts'
import { shell } from './words.ts'

/** Command palette (Ctrl-K): pages, and facilities and partners by name. */
export function Palette() {
  const words = useWords(shell)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = useFound(text)
  useKeysWhileOpening(setText)
  // API results arrive after the key press and reset the selection: reselect the first action after each render,
  // so that Enter always has a target.
  useEffect(() => {
    const isChosen = document.querySelector('[data-action][data-selected]') !== null
    if (text !== '' && !isChosen) document.querySelector('[data-action]')?.setAttribute('data-selected', '')
  })
  const go = (to: string) => () => void navigate({ to })
  const pages = navigation
    .filter(({ name }) => words[name].toLowerCase().includes(text.toLowerCase()))
    .map<SpotlightActionData>(({ to, name, icon }) => ({
      id: to,
      label: words[name],
      leftSection: <Icon name={icon} />,
      onClick: go(to),
    }))
  const groups: SpotlightActionGroupData[] = [
    { group: words.pages, actions: pages },
    { group: words.facilities, actions: found.facilities.map((one) => ({ ...one, onClick: go(one.id) })) },
    { group: words.partners, actions: found.partners.map((one) => ({ ...one, onClick: go(one.id) })) },
  ]
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={text}
      onQueryChange={setText}
      filter={(_query, actions) => actions}
      shortcut="mod + K"
      tagsToIgnore={[]}
      lockScroll={false}
      nothingFound={found.isLooking ? undefined : words.nothingFound}
      searchProps={{ 'aria-label': words.find, placeholder: words.find, leftSection: <Icon name="search" /> }}
    />
  )
}

/** Captures keys typed between Ctrl-K and the focus of the search box. */
function useKeysWhileOpening(setText: (change: (text: string) => string) => void) {
  const isOpening = useRef(false)
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
        isOpening.current = document.querySelector('.mantine-Spotlight-content') === null
        return
      }
      const hasFocus = document.activeElement?.closest('.mantine-Spotlight-content') != null
      if (hasFocus || key === 'Escape') isOpening.current = false
      if (!isOpening.current || ctrlKey || metaKey || altKey) return
      if (key === 'Backspace') setText((text) => text.slice(0, -1))
      else if (key === 'Enter') document.querySelector<HTMLElement>('[data-action]')?.click()
      else if (key.length === 1) setText((text) => text + key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', take, true)
    return () => window.removeEventListener('keydown', take, true)
  }, [setText])
}

function useFound(text: string) {
  const [query] = useDebouncedValue(text.trim(), 150)
  const enabled = query !== ''
  const facilities = useRead<Facility[]>(pathWith('/facilities', { q: query, limit: 6 }), { enabled })
  const partners = useRead<PartnerRow[]>(pathWith('/partners', { q: query, limit: 6 }), { enabled })
  // Results of a shorter query must not be selected by Enter.
  const isCurrent = enabled && query === text.trim()
  return {
    isLooking: !isCurrent || facilities.isLoading || partners.isLoading,
    facilities: (isCurrent ? (facilities.data?.data ?? []) : []).map(({ id_external: id, name }) => ({
      id: `/facilities/${id}`,
      label: name,
      description: id,
    })),
    partners: (isCurrent ? (partners.data?.data ?? []) : []).map(({ id, name }) => ({
      id: `/partners/${id}`,
      label: name,
      description: id,
    })),
  }
}
