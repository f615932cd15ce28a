import type { IconName } from '../parts/icons.tsx'

type Name = 'facilities' | 'partners' | 'access' | 'settings'

interface Entry {
  to: `/${Name}`
  name: Name
  icon: IconName
  exact?: true
}

export const navigation: readonly Entry[] = [
  { to: '/facilities', name: 'facilities', icon: 'facilities' },
  { to: '/partners', name: 'partners', icon: 'partners' },
  { to: '/access', name: 'access', icon: 'access' },
  { to: '/settings', name: 'settings', icon: 'settings' },
]
