/** The names that a grant can hold, from the specification and not from the code under test. */
export const names = {
  read: [
    'date_created',
    'date_updated',
    'ssid_public',
    'address',
    'subscription_url',
    'type',
    'subscribed',
    'devices',
    'areas',
    'areas_autocomplete_list',
  ],
  write: ['name', 'ssid_public', 'subscription_url', 'areas_autocomplete_list'],
  rooms: ['open_close', 'services'],
}
export type Kind = keyof typeof names
