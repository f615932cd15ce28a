/** Nobody is sent away for how much they ask, or for how late the machine is. */
export const unlimited = {
  ATRIUM_RATE_LIMIT: 'off',
  ATRIUM_WRONG_TOKEN_LIMIT: 'off',
  ATRIUM_OVERLOAD_LAG_MS: '60000',
}
