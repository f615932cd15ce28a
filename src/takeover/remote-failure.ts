/** A failure of another installation, in one line that says what to do. It never holds a token or a body. */
export class RemoteFailure extends Error {}

/** A failure that a retry of the command does not solve, such as a refused token. */
export class RemoteRefusal extends RemoteFailure {}
