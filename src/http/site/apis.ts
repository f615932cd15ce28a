export const apis = {
  partner: { title: 'Partner API', path: '/docs', document: '/openapi.json', securityScheme: 'partnerToken' },
  cms: { title: 'CMS API', path: '/docs/cms', document: '/cms/openapi.json', securityScheme: 'operatorKey' },
}

export type Api = keyof typeof apis
