/** The APIs of which the service shows a reference: where its page, its viewer and its OpenAPI document are. */
export const apis = {
  partner: { title: 'Partner API', path: '/docs', document: '/openapi.json', securityScheme: 'partnerToken' },
  cms: { title: 'CMS API', path: '/docs/cms', document: '/cms/openapi.json', securityScheme: 'operatorKey' },
}

export type Api = keyof typeof apis
