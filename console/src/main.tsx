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
import { Problem } from './api/client.ts'
import { queryClient } from './api/hooks.ts'
import { LanguageProvider } from './app/language.tsx'
import { router } from './app/router.tsx'
import { theme } from './app/theme.ts'

// An expired session leads to the sign-in and back to the same page; unsaved drafts stay in the browser.
const onError = (error: unknown) => {
  if (!(error instanceof Problem) || error.code !== 'sign_in_required') return
  const { pathname, href } = router.state.location
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { to: href }, ignoreBlocker: true })
}
queryClient.getQueryCache().config.onError = onError
queryClient.getMutationCache().config.onError = onError

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
