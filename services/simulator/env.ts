import { choice, flag, integer, number, text, url } from '#libs/service-kit/env';

/** Configuration of the simulator process. Each key has a flag too (see `arguments.ts`). */
export const simulatorEnv = {
  VIGIL_SIMULATOR_HOST: text({ default: '127.0.0.1', description: 'Address that the simulated cloud listens on.' }),
  VIGIL_SIMULATOR_PORT: integer({
    min: 0,
    max: 65_535,
    default: 9390,
    description: 'Port of the simulated cloud; 0 takes a free one.',
  }),
  VIGIL_SIMULATOR_WORLD: text({
    default: 'azure2017-40',
    description:
      'World of the simulated cloud: a bundled name (azure2017-40, azure2017-800) or the path of a world file.',
  }),
  VIGIL_SIMULATOR_LOAD: choice({
    words: ['loop', 'once'],
    default: 'loop',
    description: 'After the end of a recorded load: again (`loop`), or its last value (`once`).',
  }),
  VIGIL_SIMULATOR_GENERATE: text({
    description:
      'Generates a world instead of reading one, such as `hosts=8,instances=60,volumes=20,baremetal=8,seed=3`.',
  }),
  VIGIL_SIMULATOR_SPEED: number({
    min: 0,
    max: 100_000,
    default: 60,
    description:
      'Simulated seconds per second: the day of the load and the duration of migrations are accelerated by it.',
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
    description: 'Life of the tokens that the simulated Keystone issues, seconds.',
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
    description: 'Minutes of history that are written at the start; 0 writes none.',
  }),
  VIGIL_SIMULATOR_AMQP_URL: url({
    schemes: ['amqp:', 'amqps:'],
    secret: true,
    description:
      'RabbitMQ to which the simulated Nova, Cinder and Neutron send their notifications; without it none are sent.',
  }),
  VIGIL_SIMULATOR_NOTIFICATION_TOPIC: text({
    default: 'nova.versioned_notifications',
    description: 'The destination there, as `<exchange>.<topic>`.',
  }),
  VIGIL_SIMULATOR_CINDER_TOPIC: text({
    default: 'openstack.notifications',
    description: 'The destination there of the notifications of the simulated Cinder.',
  }),
  VIGIL_SIMULATOR_NEUTRON_TOPIC: text({
    default: 'neutron.notifications',
    description: 'The destination there of the notifications of the simulated Neutron.',
  }),
  VIGIL_SIMULATOR_PUBLIC_URL: url({
    schemes: ['http:', 'https:'],
    description: 'Origin in the catalogue of the simulated Keystone; default: the one that each client used.',
  }),
  VIGIL_API_URL: url({
    schemes: ['http:', 'https:'],
    description: "Vigil's API, which the simulated catalogue lists as `infra-optim`.",
  }),
  VIGIL_INFLUX_URL: url({
    schemes: ['http:', 'https:'],
    secret: true,
    description: 'InfluxDB that keeps the cluster history; without it the database does.',
  }),
  VIGIL_INFLUX_TOKEN: text({ secret: true, description: 'Token for InfluxDB, when it is not in the URL.' }),
} as const;
