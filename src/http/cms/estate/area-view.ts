import { hasRole } from '../../../domain/access/operator.ts'
import { parseExactly } from '../../../domain/exact-json.ts'
import type { StoredArea } from '../../../storage/cms/area.ts'
import type { CmsContext } from '../endpoint.ts'

interface Service {
  start: string | null
  end: string | null
}

/**
 * Renders an area. Operators with the role `viewer` see only the number of its services, because services reveal
 * something about the guest.
 */
export function areaView({ operator }: CmsContext, { short, json }: StoredArea) {
  const { data_services: services, ...area } = parseExactly(json) as { data_services: Service[] }
  const now = new Date().toISOString()
  return {
    id: short,
    ...area,
    services_count: services.length,
    services_valid: services.filter((service) => isValid(service, now)).length,
    ...(hasRole(operator.role, 'editor') && { services }),
  }
}

function isValid({ start, end }: Service, now: string): boolean {
  return (start === null || start <= now) && (end === null || end > now)
}
