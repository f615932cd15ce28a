/**
 * node:http, loaded without `import`, which evaluates every export of a built-in module. One of them loads Node's fetch
 * and WebSocket client, which takes more start-up time than all of Atrium's routes.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
