// What the docs page asks of Scalar. Nothing may leave this service: no fonts, telemetry, proxy, assistant or outside
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
  authentication: { preferredSecurityScheme: 'partnerToken' },
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

const openapi = await (await fetch('/openapi.json')).json()
for (const [name, parameter] of Object.entries(openapi.components.parameters)) {
  openapi.components.parameters[name] = untick(parameter)
}
Scalar.createApiReference('#app', { ...settings, content: openapi })
