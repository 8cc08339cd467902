import { choice, flag, integer, number, text, url } from '#libs/service-kit/env';

/** Configuration of the simulator process. Each key has a flag (see `arguments.ts`). */
export const simulatorEnv = {
  VIGIL_SIMULATOR_HOST: text({ default: '127.0.0.1', description: 'Address that the simulated cloud listens on.' }),
  VIGIL_SIMULATOR_PORT: integer({
    min: 0,
    max: 65_535,
    default: 9390,
    description: 'Port of the simulated cloud; 0 for a free one.',
  }),
  VIGIL_SIMULATOR_WORLD: text({
    default: 'azure2017-40',
    description:
      'World of the simulated cloud: a bundled name (azure2017-40, azure2017-800) or the path of a world file.',
  }),
  VIGIL_SIMULATOR_LOAD: choice({
    words: ['loop', 'once'],
    default: 'loop',
    description: 'At the end of a recorded load: start again (`loop`), or keep its last value (`once`).',
  }),
  VIGIL_SIMULATOR_GENERATE: text({
    description:
      'Generates a world instead of reading one, such as `hosts=8,instances=60,volumes=20,baremetal=8,seed=3`.',
  }),
  VIGIL_SIMULATOR_SPEED: number({
    min: 0,
    max: 100_000,
    default: 60,
    description: 'Simulated seconds per real second, for the daily load and the duration of migrations.',
  }),
  VIGIL_SIMULATOR_SEED: integer({ min: 0, max: 2_147_483_647, default: 1, description: 'Seed of load and faults.' }),
  VIGIL_SIMULATOR_PASSWORD: text({
    default: 'vigil',
    description: 'Password of the users admin, administrator, vigil, member and reader.',
  }),
  VIGIL_SIMULATOR_TOKEN_SECONDS: integer({
    min: 1,
    max: 604_800,
    default: 3600,
    description: 'Lifetime in seconds of tokens of the simulated Keystone.',
  }),
  VIGIL_SIMULATOR_SAMPLE_SECONDS: integer({
    min: 1,
    max: 3600,
    description: 'Seconds between two samples of the load; default 5, or 30 for worlds of more than 2,000 servers.',
  }),
  VIGIL_SIMULATOR_EXTRA_METRICS: flag({
    default: false,
    description:
      'Also samples temperatures, airflow and power of hosts and the L3 cache of instances, for the strategies that need them.',
  }),
  VIGIL_SIMULATOR_BACKFILL_MINUTES: integer({
    min: 0,
    max: 1440,
    default: 60,
    description: 'Minutes of history written at the start; 0 for none.',
  }),
  VIGIL_SIMULATOR_AMQP_URL: url({
    schemes: ['amqp:', 'amqps:'],
    secret: true,
    description: 'RabbitMQ for notifications of the simulated Nova, Cinder and Neutron; default: no notifications.',
  }),
  VIGIL_SIMULATOR_NOTIFICATION_TOPIC: text({
    default: 'nova.versioned_notifications',
    description: 'Destination of the notifications of Nova, as `<exchange>.<topic>`.',
  }),
  VIGIL_SIMULATOR_CINDER_TOPIC: text({
    default: 'openstack.notifications',
    description: 'Destination of the notifications of Cinder, as `<exchange>.<topic>`.',
  }),
  VIGIL_SIMULATOR_NEUTRON_TOPIC: text({
    default: 'neutron.notifications',
    description: 'Destination of the notifications of Neutron, as `<exchange>.<topic>`.',
  }),
  VIGIL_SIMULATOR_PUBLIC_URL: url({
    schemes: ['http:', 'https:'],
    description: 'Origin in the catalogue of the simulated Keystone; default: the origin of each request.',
  }),
  VIGIL_API_URL: url({
    schemes: ['http:', 'https:'],
    description: "Vigil's API, which the simulated catalogue lists as `infra-optim`.",
  }),
  VIGIL_INFLUX_URL: url({
    schemes: ['http:', 'https:'],
    secret: true,
    description: 'InfluxDB for the cluster history; default: the database.',
  }),
  VIGIL_INFLUX_TOKEN: text({ secret: true, description: 'Token for InfluxDB, unless the URL contains it.' }),
} as const;
