/**
 * Builds paths of the API. Refuses an id that is empty, `.` or `..` before anything is sent: `encodeURIComponent` does not
 * escape dots and `fetch` resolves them, so that deleting the service `..` would close the room.
 */
export const facilityPath = (facility: string) => `/facilities/${segment(facility)}/`
export const listPath = (facility: string) => `${facilityPath(facility)}areas_autocomplete_list`
export const areaPath = (area: string) => `/areas/${segment(area)}/`
export const servicesPath = (area: string) => `${areaPath(area)}data_services`
export const servicePath = (area: string, service: string) => `${servicesPath(area)}/${segment(service)}`
export const webhookPath = (webhook: string) => `/webhooks/${segment(webhook)}`

function segment(id: string): string {
  if (typeof id !== 'string' || ['', '.', '..'].includes(id)) {
    throw new TypeError(`${JSON.stringify(id)} is not an id. Nothing was sent.`)
  }
  return encodeURIComponent(id)
}
