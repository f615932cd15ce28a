/** Returns a guide as it is served in Markdown. Links to files that are not served become plain text. */
export function servedMarkdown(markdown: string): string {
  return markdown.replace(/^<!--.*-->\n\n?/gm, '').replace(/\[([^\]]+)\]\(\.\.[^)]*\)/g, '$1')
}

/** Returns /llms.txt (llmstxt.org), which describes this site to language models and links the guides. */
export function llmsText(list: string): string {
  const sections = list.split(/^## /m).filter((section) => /^For (partners|operators)/.test(section))
  const guides = sections.map((section) => `## ${section}`.replaceAll('](', '](/docs/guides/').trim())
  return `# Atrium

> The partner API (/v1) of an installation of Atrium: facilities with rooms (hotels, hospitals), their properties, their rooms,
> and the services of each room's current guest. Every route needs a bearer token, which the operator of the installation
> issues.

## API

- [OpenAPI document](/openapi.json): every route of /v1, with schemas, examples and problem codes
- [OpenAPI document of the CMS API](/cms/openapi.json): the API of operators
- [Problems](/problems): what each problem code means
- [Downloads](/downloads): a typed client, collections, and a program that tests an installation

${guides.join('\n\n')}
`
}
