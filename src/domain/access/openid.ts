/** The secrets of one sign-in, kept in a cookie: they bind the provider's response to this browser and this attempt. */
export interface OpenIdAttempt {
  state: string
  nonce: string
  /** The code verifier of PKCE (RFC 7636): a stolen authorization code is useless without it. */
  verifier: string
}

/** The claims about the signed-in user that Atrium uses. */
export interface OpenIdIdentity {
  email: string
  isVerified: boolean
}
