// What the page that tries calls asks of Scalar. Nothing may leave this service: no fonts, telemetry, proxy, assistant or outside
// client. The page's Content-Security-Policy would stop it, and a test looks.
const settings = {
  favicon: '/assets/atrium.svg',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  // A token that was put in is gone when the page is left.
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  localization: { translations: { apiClient: { authSelector: { selectedType: '{type}' } } } },
}

/** Scalar sends every parameter that has an example; what is optional should wait until the reader ticks it. */
function untick(parameter) {
  const { example, ...rest } = parameter
  return parameter.required ? parameter : { ...rest, examples: { default: { value: example, 'x-disabled': true } } }
}

if (!('Scalar' in globalThis)) {
  const text = 'The viewer of this reference has not been built: run npm run build where Atrium is installed.'
  document.querySelector('.loading').textContent = text
  throw new Error(text)
}

const { dataset } = document.querySelector('#app')
const content = await (await fetch(dataset.document)).json()
const parameters = Object.entries(content.components.parameters)
content.components.parameters = Object.fromEntries(parameters.map(([name, one]) => [name, untick(one)]))
Scalar.createApiReference('#app', { ...settings, content, authentication: { preferredSecurityScheme: dataset.scheme } })
