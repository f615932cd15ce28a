/** Returns the body of the downloads page. `origin` needs no escaping: it contains no special character of HTML. */
export function downloadsPage(origin: string): string {
  const from = `${origin}/downloads`
  const rows = [
    [
      'atrium-client.tgz',
      'The typed client, for Node 20 and newer, browsers and workers.',
      `curl -O ${from}/atrium-client.tgz\nnpm install ./atrium-client.tgz`,
    ],
    [
      'check.mjs',
      'Tests this installation, or any other of the same API, with your token. It needs Node 22 or newer, nothing else.',
      `curl -O ${from}/check.mjs\nnode check.mjs --base-url ${origin} --token - < token.txt`,
    ],
    ['atrium-bruno.tar.gz', 'Every request, for Bruno.', `curl -s ${from}/atrium-bruno.tar.gz | tar xz`],
    [
      'atrium-examples.tar.gz',
      'A stay and a receiver of webhooks in Python, PHP, Java and C#, with nothing but the standard library.',
      `curl -s ${from}/atrium-examples.tar.gz | tar xz`,
    ],
    ['atrium.postman_collection.json', 'Every request, for Postman: import this file.', ''],
    ['openapi.json', 'The OpenAPI document with the address of this installation, for generators.', ''],
  ]
  const items = rows.map(
    ([name, text, command]) =>
      `<h2><a href="/downloads/${name}" download>${name}</a></h2><p>${text}</p>${command && `<pre>${command}</pre>`}`,
  )
  return `<h1>Downloads</h1><p>For programs that use the partner API at <code>${origin}</code>.</p>${items.join('')}
    <p>The <a href="/docs/guides/quick-start">quick start</a> needs none of them.</p>`
}
