import { ConfigurationError } from '#libs/domain';
import type { ConfigurationCheck } from './check-configuration.ts';
import { choice, flag, httpHeaders, integer, list, number, text, url } from './env-key.ts';
import { refuseUnverifiedTls } from './refuse-unverified-tls.ts';

/** Keys of every process. */
export const commonEnv = {
  VIGIL_DATABASE_URL: url({
    schemes: ['postgres:', 'postgresql:'],
    hosts: true,
    secret: true,
    description:
      'PostgreSQL 15 or newer with the domain store; of several hosts (`postgres://user@a:5432,b:5432/vigil`) the primary is used. `vigil up` starts an embedded one when it is not set.',
  }),
  VIGIL_AMQP_URL: url({
    schemes: ['amqp:', 'amqps:'],
    secret: true,
    description:
      'RabbitMQ 3.10 or newer. Without it messages travel through the database. With amqps: `?cacertfile=…&certfile=…&keyfile=…`.',
  }),
  VIGIL_AMQP_PREFIX: text({ default: 'vigil', description: 'First part of the names of all exchanges and queues.' }),
  VIGIL_AMQP_NODES: list({
    description:
      'Further nodes of the RabbitMQ cluster of VIGIL_AMQP_URL, as `host:port`, separated by commas; used in turn while the others are unavailable.',
  }),
  VIGIL_GATE_REQUIRED: list({
    description:
      'Dependencies without which the process holds its work: any of postgresql, rabbitmq, keystone, nova, placement, cinder, history and memcached, separated by commas. Default: see docs/run.md.',
  }),
  VIGIL_GATE_PERIOD_SECONDS: number({
    default: 5,
    min: 0.1,
    max: 600,
    description: 'Pause between two rounds of probes of the dependencies; it varies by a fifth.',
  }),
  VIGIL_GATE_TRIES: integer({
    default: 5,
    min: 1,
    max: 100,
    description: 'Failed probes in a row after which a dependency counts as unavailable.',
  }),
  VIGIL_GATE_RETRY_SECONDS: number({
    default: 1,
    min: 0.05,
    max: 60,
    description: 'Pause between those probes.',
  }),
  VIGIL_KNOWN_ENDPOINTS_PATH: text({
    description:
      'File with the addresses of the brokers and database servers that worked last; they are tried when the configured ones do not respond. Off when not set.',
  }),
  VIGIL_HOST_ID: text({
    description:
      'Name of this host in `services` and in the `hostname` of audits and action plans. Default: the name of the machine.',
  }),
  VIGIL_ALLOW_MULTIPLE: flag({
    default: true,
    description:
      'Whether several processes of one kind may run on this host; they are numbered in the service registry (`watcher-applier#2`). When off, a second one ends with exit code 75.',
  }),
  VIGIL_WATCHDOG_SECONDS: integer({
    default: 60,
    min: 0,
    max: 3600,
    description:
      'How long the event loop of a process may be blocked, as by an endless loop in a plugin. Then the process logs the place and kills itself, and its supervisor restarts it. 0: no limit.',
  }),
  VIGIL_LOG_LEVEL: choice({
    reloadable: true,
    words: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'Lowest level that is logged.',
  }),
  VIGIL_LOG_PRETTY: flag({ default: false, description: 'Logs for people instead of JSON lines.' }),
  VIGIL_OTLP_URL: url({
    schemes: ['http:', 'https:'],
    secret: true,
    description:
      'OpenTelemetry collector that traces are sent to, as OTLP over HTTP in JSON, such as `http://collector:4318`. Default: `OTEL_EXPORTER_OTLP_ENDPOINT`; nothing is traced without either.',
  }),
  VIGIL_OTLP_HEADERS: httpHeaders({
    secret: true,
    description: 'Headers of those requests, such as `authorization=Bearer …`; several with commas.',
  }),
  VIGIL_TRACE_RATIO: number({
    min: 0,
    max: 1,
    description:
      'Share of recorded traces among those that start at Vigil. For a request with a `traceparent` its sender has decided. Default: that of `OTEL_TRACES_SAMPLER`, else 1.',
  }),
  VIGIL_METRICS_TOKEN: text({
    secret: true,
    description:
      'Token without blanks that `/metrics` of every process requires (`Authorization: Bearer …`). Without one, every client that reaches the port can read the metrics.',
  }),
  VIGIL_HEALTH_PORT: integer({
    min: 0,
    max: 65_535,
    description:
      'Port with /healthz, /readyz and /metrics of a process that has no other HTTP server; 0 takes a free one. Off when not set.',
  }),
  VIGIL_HEALTH_HOST: text({
    default: '127.0.0.1',
    description:
      'Address that VIGIL_HEALTH_PORT listens on; 0.0.0.0 or :: for probes from other machines, as in Kubernetes. /internal/check and /internal/status serve clients of the same machine only.',
  }),
} as const;

/**
 * The URL of the domain store, which every process needs.
 * @throws ConfigurationError when it is not set, or its connections would not verify certificates
 */
export function requireDatabaseUrl({ VIGIL_DATABASE_URL }: { VIGIL_DATABASE_URL?: string }): string {
  if (VIGIL_DATABASE_URL) {
    refuseUnverifiedTls(VIGIL_DATABASE_URL, process.env);
    return VIGIL_DATABASE_URL;
  }
  throw new ConfigurationError([
    'VIGIL_DATABASE_URL is not set (`vigil up` starts everything with an embedded database)',
  ]);
}

/** Whether the URL names a database. */
export const databaseIsNamed: ConfigurationCheck<Pick<typeof commonEnv, 'VIGIL_DATABASE_URL'>> = {
  reads: ['VIGIL_DATABASE_URL'],
  check: requireDatabaseUrl,
};
