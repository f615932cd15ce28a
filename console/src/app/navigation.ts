import type { IconName } from '../parts/icons.tsx'

type Name = 'facilities' | 'partners' | 'access' | 'requests' | 'audit' | 'install' | 'settings'

interface Entry {
  to: '/' | `/${Name}`
  name: Name | 'overview'
  icon: IconName
  exact?: true
}

export const navigation: readonly Entry[] = [
  { to: '/', name: 'overview', icon: 'overview', exact: true },
  { to: '/facilities', name: 'facilities', icon: 'facilities' },
  { to: '/partners', name: 'partners', icon: 'partners' },
  { to: '/access', name: 'access', icon: 'access' },
  { to: '/requests', name: 'requests', icon: 'requests' },
  { to: '/audit', name: 'audit', icon: 'audit' },
  { to: '/install', name: 'install', icon: 'install' },
  { to: '/settings', name: 'settings', icon: 'settings' },
]
