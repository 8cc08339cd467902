import { choice, flag, integer, text, url } from './env-key.ts';

/** Keys that every process takes. */
export const commonEnv = {
  VIGIL_DATABASE_URL: url({
    schemes: ['postgres:', 'postgresql:'],
    secret: true,
    description: 'PostgreSQL 15 or newer with the domain store. `vigil up` starts an embedded one when it is not set.',
  }),
  VIGIL_AMQP_URL: url({
    schemes: ['amqp:', 'amqps:'],
    secret: true,
    description: 'RabbitMQ 3.10 or newer. Without it messages travel through the database.',
  }),
  VIGIL_AMQP_PREFIX: text({ default: 'vigil', description: 'First part of the names of all exchanges and queues.' }),
  VIGIL_HOST_ID: text({
    description:
      'Name of this host in `services` and in the `hostname` of audits and action plans. Default: the name of the machine.',
  }),
  VIGIL_LOG_LEVEL: choice({
    words: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'Least level that is logged.',
  }),
  VIGIL_LOG_PRETTY: flag({ default: false, description: 'Logs for people instead of JSON lines.' }),
  VIGIL_HEALTH_PORT: integer({
    min: 0,
    max: 65_535,
    description:
      'Port on 127.0.0.1 with /healthz, /readyz and /metrics of a process that has no other HTTP server; 0 takes a free one. Off when not set.',
  }),
} as const;
