/** The secrets of one sign-in, in a cookie: they bind the provider's response to this browser and attempt. */
export interface OpenIdAttempt {
  state: string
  nonce: string
  /** The code verifier of PKCE (RFC 7636): a stolen authorization code is useless without it. */
  verifier: string
}

export interface OpenIdIdentity {
  email: string
  isVerified: boolean
}
