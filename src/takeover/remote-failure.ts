/** A failed request to another installation. The message is one line that says what to do, without token or body. */
export class RemoteFailure extends Error {}

/** A failed request that would fail again, such as one with an invalid token: it is not retried. */
export class RemoteRefusal extends RemoteFailure {}
