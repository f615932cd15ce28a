/** Loaded without `import`, which would also load Node's fetch client: more start-up time than all routes take. */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
