/**
 * Node's HTTP, asked for as CommonJS modules ask for it: an `import` reads every name that the module exports, and one of
 * them loads Node's own client, which takes longer than all of our routes.
 */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http')
