/**
 * node:http, loaded without `import`: that reads every export of the module, and one of them is a getter that loads
 * Node's fetch and WebSocket client, which costs more start-up time than all of Atrium's routes.
 */
export const { createServer, METHODS, STATUS_CODES } = process.getBuiltinModule('node:http')
