// The admin panel is a separate build that the benchmark does not use.
module.exports = {
  serveAdminPanel: false,
  auth: { secret: 'bench-secret-of-made-up-data' },
  apiToken: { salt: 'bench-salt-of-made-up-data' },
  transfer: { token: { salt: 'bench-salt-of-made-up-data' } },
  secrets: { encryptionKey: 'bench-key-of-made-up-data-000000' },
}
