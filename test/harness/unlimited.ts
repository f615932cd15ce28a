/** Settings under which no request is refused for its rate, or because the machine is slow. */
export const unlimited = {
  ATRIUM_RATE_LIMIT: 'off',
  ATRIUM_WRONG_TOKEN_LIMIT: 'off',
  ATRIUM_OVERLOAD_LAG_MS: '60000',
  // With ATRIUM_TEST_FAST_HTTP=off every test goes through Node's HTTP parser.
  ATRIUM_FAST_HTTP: process.env.ATRIUM_TEST_FAST_HTTP ?? 'on',
}

/** Keeps the `.env` of the person who runs the tests from changing their results. */
export const noEnvFile = { ATRIUM_ENV_FILE: 'off' }
