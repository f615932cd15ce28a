import { columns } from './output.ts'

interface Setting {
  name: string
  standard: string
  meaning: string
}

/** What config.ts reads, for people. */
export const settings: Setting[] = [
  setting('ATRIUM_DATABASE', 'sqlite:./data/atrium.db', 'or postgres://USER:PASSWORD@HOST:PORT/NAME'),
  setting('ATRIUM_DATABASE_WAIT_SECONDS', '30', 'how long a node that starts waits for its database'),
  setting('ATRIUM_DATABASE_CONNECTIONS', '22', 'connections that each process may have to a database server'),
  setting('ATRIUM_HOST', '127.0.0.1', 'address to listen on'),
  setting('ATRIUM_PORT', '8080', 'port to listen on; 0 picks a free one'),
  setting('ATRIUM_WORKERS', '1', 'processes that answer together, as many as there are cores'),
  setting('ATRIUM_RATE_LIMIT', '100/s burst 1000', 'requests of one token; off for none'),
  setting('ATRIUM_DRAIN_SECONDS', '3', 'how long a node goes on after SIGTERM when a balancer asks /readyz'),
  setting('ATRIUM_WRONG_TOKEN_LIMIT', '1/s burst 100', 'wrong tokens from one address; off for none'),
  setting('ATRIUM_LOG', 'info', 'fatal, error, warn, info, debug, trace or silent'),
  setting('ATRIUM_MEMORY_BYTES', '125829120', 'what may be kept in memory of the database, by each process'),
  setting('ATRIUM_TLS_CERT', 'none', 'file of the certificate (PEM, with its chain); TLS is on with it'),
  setting('ATRIUM_TLS_KEY', 'none', 'file of its private key (PEM)'),
  setting('ATRIUM_TRUSTED_PROXIES', 'none', 'address ranges of proxies whose X-Forwarded-For is believed'),
  setting('ATRIUM_PUBLIC_URL', 'none', 'where browsers find this installation, for links and single sign-on'),
  setting('ATRIUM_OIDC_ISSUER', 'none', 'OpenID provider at which operators can sign in'),
  setting('ATRIUM_OIDC_CLIENT_ID', 'none', 'what this installation is called there'),
  setting('ATRIUM_OIDC_CLIENT_SECRET', 'none', 'the secret it got there'),
  setting('ATRIUM_OIDC_NAME', 'its host', 'what the button on the sign-in page calls the provider'),
  setting('ATRIUM_OIDC_EMAIL_VERIFIED', 'required', 'assumed where the provider does not say it of addresses'),
  setting('ATRIUM_EVENT_ENDING_SECONDS', '3600', 'how long before its end a service is told to be ending'),
  setting('ATRIUM_WEBHOOK_ALLOWED_RANGES', 'none', 'address ranges inside to which webhooks may lead'),
  setting('HTTPS_PROXY', 'none', 'proxy by which webhooks leave the network, such as http://proxy:3128'),
  setting('NO_PROXY', 'none', 'names, domains and address ranges that webhooks reach without it'),
  setting('ATRIUM_WEBHOOK_PROXY_TARGET', 'address', 'what that proxy is asked for: address, or name'),
  setting('ATRIUM_ERASE_SECONDS', '60', 'how long the files may keep what a reset has deleted'),
  setting('ATRIUM_FAST_HTTP', 'on', 'off reads every request with the HTTP parser of Node, which takes longer'),
  setting('ATRIUM_CORS_ORIGINS', 'none', 'origins whose pages may call /v1, separated by commas'),
  setting('ATRIUM_DEPRECATIONS', 'none', 'routes on their way out, a JSON array (see the docs)'),
  setting('OTEL_EXPORTER_OTLP_ENDPOINT', 'none', 'collector of traces and metrics, such as http://collector:4318'),
  setting('OTEL_EXPORTER_OTLP_HEADERS', 'none', 'headers for it, such as api-key=secret, percent-encoded'),
  setting('OTEL_SERVICE_NAME', 'atrium', 'what this installation is called there'),
  setting('OTEL_RESOURCE_ATTRIBUTES', 'none', 'what else is said of it, such as deployment.environment.name=test'),
  setting('OTEL_SDK_DISABLED', 'false', 'true sends nothing, whatever else is set'),
  setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'none', 'whole address for traces alone; also _METRICS_'),
  setting('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'none', 'headers for traces alone; also _METRICS_'),
  setting('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', 'http/json; http/protobuf is taken for it'),
  setting('OTEL_EXPORTER_OTLP_COMPRESSION', 'none', 'gzip or none'),
  setting('OTEL_EXPORTER_OTLP_TIMEOUT', '10000', 'milliseconds that the collector has for one batch'),
  setting('OTEL_TRACES_EXPORTER', 'otlp', 'none sends no traces; OTEL_METRICS_EXPORTER for metrics'),
  setting('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio', 'which traces are kept, by the names of OpenTelemetry'),
  setting('OTEL_TRACES_SAMPLER_ARG', '1', 'the part of the traces that is kept, from 0 to 1'),
  setting('OTEL_BSP_SCHEDULE_DELAY', '5000', 'milliseconds between two sendings of traces'),
  setting('OTEL_BSP_MAX_QUEUE_SIZE', '10000', 'spans that wait for the collector at most'),
  setting('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '512', 'spans in one request at most'),
  setting('OTEL_METRIC_EXPORT_INTERVAL', '60000', 'milliseconds between two sendings of metrics'),
  setting('ATRIUM_OVERLOAD_LAG_MS', '500', 'delay of the event loop from which on new work is refused'),
  setting('ATRIUM_OVERLOAD_QUEUE', '1000', 'transactions in line from which on new work is refused'),
  setting('ATRIUM_LIMIT_BODY_BYTES', '1048576', 'largest request body'),
  setting('ATRIUM_LIMIT_JSON_DEPTH', '32', 'deepest nesting of JSON'),
  setting('ATRIUM_LIMIT_LIST_ENTRIES', '10000', 'entries of an autocomplete list'),
  setting('ATRIUM_LIMIT_POST_SUBSCRIPTIONS', '500', 'subscriptions added by one request'),
  setting('ATRIUM_LIMIT_ROOM_SUBSCRIPTIONS', '1000', 'subscriptions of one room'),
  setting('ATRIUM_LIMIT_SUBSCRIPTION_BYTES', '16384', 'largest subscription'),
  setting('ATRIUM_LIMIT_ROOM_BYTES', '2097152', 'all subscriptions of one room, as they are answered'),
  setting('ATRIUM_LIMIT_IMPORT_BYTES', '4194304', 'largest estate file through the CMS'),
  setting('ATRIUM_LIMIT_HEADER_BYTES', '65536', 'path and headers of a request'),
]

function setting(name: string, standard: string, meaning: string): Setting {
  return { name, standard, meaning }
}

export function settingsHelp(): string {
  const rows = settings.map(({ name, standard, meaning }) => [name, standard, meaning])
  return `Settings (environment variables, with what holds without them):\n${columns(rows, '  ')}`
}
