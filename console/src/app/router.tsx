import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Problem } from '../api/client.ts'
import { queryClient } from '../api/hooks.ts'
import { sessionQuery } from '../api/session.ts'
import { SignInPage } from '../pages/sign-in.tsx'
import { FailedPage, MissingPage } from '../parts/page.tsx'
import { optionalText, parseSearch, stringifySearch } from './search.ts'
import { Shell } from './shell.tsx'

const root = createRootRoute()

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: optionalText('to'),
  component: SignInPage,
})

/** Every page below is for somebody who is signed in; who is not comes back after signing in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
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
  component: lazyRouteComponent(() => import('../pages/overview/overview.tsx'), 'OverviewPage'),
})

const facilities = createRoute({
  getParentRoute: () => signedIn,
  path: '/facilities',
  validateSearch: optionalText('q', 'status', 'type', 'sort'),
  component: lazyRouteComponent(() => import('../pages/facilities/list.tsx'), 'FacilitiesPage'),
})

const facility = createRoute({
  getParentRoute: () => signedIn,
  path: '/facilities/$facilityId',
  validateSearch: optionalText('tab', 'q', 'view', 'open', 'room'),
  component: lazyRouteComponent(() => import('../pages/facilities/facility.tsx'), 'FacilityPage'),
})

const partners = createRoute({
  getParentRoute: () => signedIn,
  path: '/partners',
  validateSearch: optionalText('q'),
  component: lazyRouteComponent(() => import('../pages/partners/list.tsx'), 'PartnersPage'),
})

const partner = createRoute({
  getParentRoute: () => signedIn,
  path: '/partners/$partnerId',
  validateSearch: optionalText('tab'),
  component: lazyRouteComponent(() => import('../pages/partners/partner.tsx'), 'PartnerPage'),
})

const access = createRoute({
  getParentRoute: () => signedIn,
  path: '/access',
  validateSearch: optionalText('partner', 'method', 'path'),
  component: lazyRouteComponent(() => import('../pages/access/access.tsx'), 'AccessPage'),
})

const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/requests',
  validateSearch: optionalText('partner', 'status', 'method', 'facility', 'request_id'),
  component: lazyRouteComponent(() => import('../pages/requests/requests.tsx'), 'RequestsPage'),
})

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  validateSearch: optionalText('actor', 'action', 'facility', 'partner', 'subject'),
  component: lazyRouteComponent(() => import('../pages/audit/audit.tsx'), 'AuditPage'),
})

const install = createRoute({
  getParentRoute: () => signedIn,
  path: '/install',
  validateSearch: optionalText('facility'),
  component: lazyRouteComponent(() => import('../pages/install/install.tsx'), 'InstallPage'),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  validateSearch: optionalText('tab'),
  component: lazyRouteComponent(() => import('../pages/settings/settings.tsx'), 'SettingsPage'),
})

/** Every other address. */
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
