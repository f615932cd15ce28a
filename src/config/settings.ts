interface Setting {
  name: string
  /** The default as the help shows it; `none` and `its host` are descriptions, not values. */
  default: string
  meaning: string
  range?: Range
}

export type Range = [min: number, max: number]

/** The settings that can contain a secret. Each can also be read from a file, which `NAME_FILE` names. */
export const secretSettings = [
  'ATRIUM_DATABASE',
  'ATRIUM_DATABASE_REPLICA',
  'ATRIUM_OIDC_CLIENT_SECRET',
  'HTTPS_PROXY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_METRICS_HEADERS',
  'ATRIUM_KEY',
]

/** The maximum of ATRIUM_WORKERS, more than any machine has cores. */
export const maxWorkers = 256

/** Every setting, in the order of the help and of the guide. */
export const settings: Setting[] = [
  setting('ATRIUM_DATABASE', 'sqlite:./data/atrium.db', 'or postgres://USER:PASSWORD@HOST:PORT/NAME'),
  setting('ATRIUM_DATABASE_REPLICA', 'none', 'standby of that server, which long reads may use'),
  setting('ATRIUM_DATABASE_WAIT_SECONDS', 30, 'how long a starting node waits for its database', [0, 3600]),
  setting('ATRIUM_DATABASE_CONNECTIONS', 22, 'maximum connections of each process to PostgreSQL', [4, 1000]),
  setting('ATRIUM_HOST', '127.0.0.1', 'address to listen on'),
  setting('ATRIUM_PORT', 8080, 'port to listen on; 0 picks a free one', [0, 65_535]),
  setting('ATRIUM_WORKERS', 1, 'worker processes, at best one per core', [1, maxWorkers]),
  setting('ATRIUM_RATE_LIMIT', '100/s burst 1000', 'maximum rate of requests per token; off for no limit'),
  setting(
    'ATRIUM_DRAIN_SECONDS',
    3,
    'how long a node serves after SIGTERM if a load balancer polls /readyz',
    [0, 3600],
  ),
  setting('ATRIUM_WRONG_TOKEN_LIMIT', '1/s burst 100', 'maximum rate of wrong tokens per address; off for no limit'),
  setting('ATRIUM_SERVER', 'none', 'a running server that commands work on, instead of the database (--server)'),
  setting('ATRIUM_KEY', 'none', 'key of an operator for ATRIUM_SERVER (--key)'),
  setting('ATRIUM_ENV_FILE', '.env', 'file with settings that the environment does not have; off for none'),
  setting('ATRIUM_LOG', 'info', 'fatal, error, warn, info, debug, trace or silent'),
  setting('ATRIUM_MEMORY_BYTES', 125_829_120, 'size of the cache of each process', [0, 2 ** 40]),
  setting('ATRIUM_TLS_CERT', 'none', 'certificate file (PEM, with its chain); setting it enables TLS'),
  setting('ATRIUM_TLS_KEY', 'none', 'private key file (PEM)'),
  setting('ATRIUM_TRUSTED_PROXIES', 'none', 'address ranges of proxies whose X-Forwarded-For is trusted'),
  setting('ATRIUM_PUBLIC_URL', 'none', 'public address of the installation, for links and single sign-on'),
  setting('ATRIUM_OIDC_ISSUER', 'none', 'OpenID provider for the single sign-on of operators'),
  setting('ATRIUM_OIDC_CLIENT_ID', 'none', 'client id of this installation at the provider'),
  setting('ATRIUM_OIDC_CLIENT_SECRET', 'none', 'client secret at the provider'),
  setting('ATRIUM_OIDC_NAME', 'its host', 'name of the provider on the sign-in page'),
  setting('ATRIUM_OIDC_EMAIL_VERIFIED', 'required', 'assumed: trust addresses that the provider does not mark'),
  setting('ATRIUM_EVENT_ENDING_SECONDS', 3600, 'how long before its end a service causes an event', [0, 2_592_000]),
  setting('ATRIUM_WEBHOOK_ALLOWED_RANGES', 'none', 'private address ranges that webhooks may target'),
  setting('HTTPS_PROXY', 'none', 'proxy for webhooks, such as http://proxy:3128'),
  setting('NO_PROXY', 'none', 'names, domains and address ranges that bypass the proxy'),
  setting('ATRIUM_WEBHOOK_PROXY_TARGET', 'address', 'how the proxy gets the target: address or name'),
  setting('ATRIUM_ERASE_SECONDS', 60, 'how long database files may contain deleted guest data', [1, 86_400]),
  setting('ATRIUM_AUDIT_MONTHS', 'all', 'months of the audit log that are kept besides the current one', [1, 1200]),
  setting('ATRIUM_AUDIT_EXPORT_FOLDER', 'none', 'folder to which a month is exported before it is removed'),
  setting('ATRIUM_FAST_HTTP', 'on', 'off: read every request with the HTTP parser of Node, which is slower'),
  setting('ATRIUM_CORS_ORIGINS', 'none', 'origins whose pages may call /v1, separated by commas'),
  setting('ATRIUM_DEPRECATIONS', 'none', 'deprecated routes, a JSON array (see the docs)'),
  setting('OTEL_EXPORTER_OTLP_ENDPOINT', 'none', 'collector of traces and metrics, such as http://collector:4318'),
  setting('OTEL_EXPORTER_OTLP_HEADERS', 'none', 'headers for the collector, such as api-key=secret, percent-encoded'),
  setting('OTEL_SERVICE_NAME', 'atrium', 'name of this installation in the telemetry'),
  setting('OTEL_RESOURCE_ATTRIBUTES', 'none', 'further attributes, such as deployment.environment.name=test'),
  setting('OTEL_SDK_DISABLED', 'false', 'true: send nothing, whatever else is set'),
  setting('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'none', 'full address for traces; also _METRICS_'),
  setting('OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'none', 'headers for traces; also _METRICS_'),
  setting('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', 'http/json; http/protobuf is treated as http/json'),
  setting('OTEL_EXPORTER_OTLP_COMPRESSION', 'none', 'gzip or none'),
  setting('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, 'timeout of one export in milliseconds', [10, 600_000]),
  setting('OTEL_TRACES_EXPORTER', 'otlp', 'none: send no traces; OTEL_METRICS_EXPORTER for metrics'),
  setting('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio', 'sampler, by its OpenTelemetry name'),
  setting('OTEL_TRACES_SAMPLER_ARG', '1', 'fraction of traces to keep, from 0 to 1'),
  setting('OTEL_BSP_SCHEDULE_DELAY', 5000, 'milliseconds between two exports of traces', [10, 600_000]),
  setting('OTEL_BSP_MAX_QUEUE_SIZE', 10_000, 'maximum number of queued spans', [1, 1_000_000]),
  setting('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 'maximum number of spans in one export', [1, 100_000]),
  setting('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 'milliseconds between two exports of metrics', [1000, 3_600_000]),
  setting('ATRIUM_OVERLOAD_LAG_MS', 500, 'event loop delay above which new work is refused', [10, 60_000]),
  setting('ATRIUM_OVERLOAD_QUEUE', 1000, 'queued transactions above which new work is refused', [1, 1_000_000]),
  setting('ATRIUM_LIMIT_BODY_BYTES', 1_048_576, 'maximum size of a request body', [1024, 64 * 1_048_576]),
  setting('ATRIUM_LIMIT_JSON_DEPTH', 32, 'maximum nesting of JSON', [4, 200]),
  setting('ATRIUM_LIMIT_LIST_ENTRIES', 10_000, 'maximum entries of an autocomplete list', [1, 1_000_000]),
  setting('ATRIUM_LIMIT_POST_SUBSCRIPTIONS', 500, 'maximum subscriptions in one request', [1, 10_000]),
  setting('ATRIUM_LIMIT_ROOM_SUBSCRIPTIONS', 1000, 'maximum subscriptions of one room', [1, 100_000]),
  setting('ATRIUM_LIMIT_SUBSCRIPTION_BYTES', 16_384, 'maximum size of a subscription', [64, 1_048_576]),
  setting('ATRIUM_LIMIT_ROOM_BYTES', 524_288, 'maximum size of all subscriptions of one room, as JSON', [
    64,
    64 * 1_048_576,
  ]),
  setting('ATRIUM_LIMIT_BULK_BYTES', 33_554_432, 'maximum size of the rooms that one bulk call works on', [
    65_536,
    2 ** 30,
  ]),
  setting('ATRIUM_LIMIT_IMPORT_BYTES', 268_435_456, 'maximum size of an estate file that a server imports', [
    1024,
    2 ** 40,
  ]),
  setting('ATRIUM_LIMIT_HEADER_BYTES', 65_536, 'maximum size of path and headers of a request', [4096, 1_048_576]),
]

function setting(name: string, fallback: string | number, meaning: string, range?: Range): Setting {
  const isSecret = secretSettings.includes(name)
  return {
    name,
    default: String(fallback),
    meaning: isSecret ? `${meaning} (or ${fileSetting(name)})` : meaning,
    ...(range && { range }),
  }
}

export function fileSetting(name: string): string {
  return `${name}_FILE`
}

const byName = new Map(settings.map((one) => [one.name, one]))

export function getSetting(name: string): Setting {
  const found = byName.get(name)
  if (found === undefined) throw new Error(`${name} is not in the table of settings`)
  return found
}

export function settingNames(): string[] {
  return [...settings.map(({ name }) => name), ...secretSettings.map(fileSetting)]
}
