import type { IconName } from '../parts/icons.tsx'

interface Entry {
  to: '/facilities'
  name: 'facilities'
  icon: IconName
  exact?: true
}

export const navigation: readonly Entry[] = [{ to: '/facilities', name: 'facilities', icon: 'facilities' }]
