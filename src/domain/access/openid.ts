/** What ties the answer of an OpenID provider to the browser that was sent there, and to this one time. */
export interface OpenIdAttempt {
  state: string
  nonce: string
  /** Of PKCE (RFC 7636): without it the code that comes back is worth nothing. */
  verifier: string
}

/** What the provider says of whoever signed in there. */
export interface OpenIdIdentity {
  email: string
  isVerified: boolean
}
