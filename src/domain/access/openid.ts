/**
 * The secrets of one sign-in, kept in a cookie. They bind the response of the OpenID provider to this browser and
 * attempt.
 */
export interface OpenIdAttempt {
  state: string
  nonce: string
  /** The code verifier of PKCE (RFC 7636): a stolen authorization code is useless without it. */
  verifier: string
}

/** The claims about the signed-in user that Atrium uses, from the OpenID provider. */
export interface OpenIdIdentity {
  email: string
  isVerified: boolean
}
