import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import 'virtual:theme.css'
import './app/global.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/hooks.ts'
import { LanguageProvider } from './app/language.tsx'
import { router } from './app/router.tsx'
import { theme } from './app/theme.ts'

const schemes = localStorageColorSchemeManager({ key: 'atrium-scheme' })

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    colorSchemeManager={schemes}
    withCssVariables={false}
    withGlobalClasses={false}
  >
    <QueryClientProvider client={queryClient}>
      <LanguageProvider>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </LanguageProvider>
    </QueryClientProvider>
  </MantineProvider>,
)
