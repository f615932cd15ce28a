import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { Problem } from '../api/client.ts'
import { queryClient } from '../api/hooks.ts'
import { sessionQuery } from '../api/session.ts'
import { SignInPage } from '../pages/sign-in.tsx'
import { FailedOutside, FailedPage } from '../parts/failed-page.tsx'
import { MissingPage } from '../parts/page.tsx'
import { lazyPage } from './page-chunk.ts'
import { Pending } from './pending.tsx'
import { optionalText, parseSearch, stringifySearch } from './search.ts'
import { Shell } from './shell.tsx'

const root = createRootRoute({ pendingComponent: Pending })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: optionalText('to'),
  component: SignInPage,
})

/** Requires a session for all pages below; redirects to the sign-in, which returns here afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  // Shown while the session loads, so that the page is never blank.
  pendingComponent: Pending,
  pendingMs: 0,
  pendingMinMs: 0,
  errorComponent: FailedOutside,
  beforeLoad: async ({ location }) => {
    await queryClient.ensureQueryData(sessionQuery).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 401)
        throw redirect({ to: '/sign-in', search: { to: location.href } })
      throw error
    })
  },
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyPage(() => import('../pages/overview/overview.tsx'), 'OverviewPage'),
})

const facilities = createRoute({
  getParentRoute: () => signedIn,
  path: '/facilities',
  validateSearch: optionalText('q', 'status', 'type', 'sort'),
  component: lazyPage(() => import('../pages/facilities/list.tsx'), 'FacilitiesPage'),
})

const facility = createRoute({
  getParentRoute: () => signedIn,
  path: '/facilities/$facilityId',
  validateSearch: optionalText('tab', 'q', 'view', 'open', 'room'),
  component: lazyPage(() => import('../pages/facilities/facility.tsx'), 'FacilityPage'),
})

const partners = createRoute({
  getParentRoute: () => signedIn,
  path: '/partners',
  validateSearch: optionalText('q'),
  component: lazyPage(() => import('../pages/partners/list.tsx'), 'PartnersPage'),
})

const partner = createRoute({
  getParentRoute: () => signedIn,
  path: '/partners/$partnerId',
  validateSearch: optionalText('tab'),
  component: lazyPage(() => import('../pages/partners/partner.tsx'), 'PartnerPage'),
})

const access = createRoute({
  getParentRoute: () => signedIn,
  path: '/access',
  validateSearch: optionalText('partner', 'method', 'path'),
  component: lazyPage(() => import('../pages/access/access.tsx'), 'AccessPage'),
})

const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests',
  validateSearch: optionalText('partner', 'status', 'method', 'facility', 'request_id', 'since', 'until'),
  component: lazyPage(() => import('../pages/requests/requests.tsx'), 'RequestsPage'),
})

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: optionalText('actor', 'action', 'facility', 'partner', 'subject', 'since', 'until'),
  component: lazyPage(() => import('../pages/audit/audit.tsx'), 'AuditPage'),
})

const install = createRoute({
  getParentRoute: () => signedIn,
  path: '/install',
  validateSearch: optionalText('facility'),
  component: lazyPage(() => import('../pages/install/install.tsx'), 'InstallPage'),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  validateSearch: optionalText('tab'),
  component: lazyPage(() => import('../pages/settings/settings.tsx'), 'SettingsPage'),
})

/** Page for unknown addresses. */
const missing = createRoute({ getParentRoute: () => signedIn, path: '$', component: MissingPage })

const routeTree = root.addChildren([
  signIn,
  signedIn.addChildren([
    home,
    facilities,
    facility,
    partners,
    partner,
    access,
    requests,
    audit,
    install,
    settings,
    missing,
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: MissingPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
