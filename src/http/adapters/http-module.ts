/** `import` would also load Node's fetch and WebSocket client, which takes more start-up time than all routes. */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
