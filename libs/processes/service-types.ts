/**
 * Kinds of processes, and the word after `vigil` that starts each. Two kinds with one service name may not run on one
 * host together. Watcher's `GET /v1/services` lists those with `isListed`.
 */
export const serviceTypes = {
  'watcher-api': { title: 'REST API', serviceName: 'watcher-api', command: 'api' },
  'watcher-decision-engine': {
    title: 'Runs audits',
    serviceName: 'watcher-decision-engine',
    command: 'decision-engine',
    isListed: true,
  },
  'watcher-applier': {
    title: 'Executes action plans',
    serviceName: 'watcher-applier',
    command: 'applier',
    isListed: true,
  },
  scheduler: { title: 'Work by the clock', serviceName: 'scheduler', command: 'scheduler' },
  'recovery-coordinator': {
    title: 'Observes the others and recovers their work',
    serviceName: 'recovery-coordinator',
    command: 'coordinator',
  },
} as const satisfies Record<string, { title: string; serviceName: string; command: string; isListed?: true }>;

export type ServiceTypeName = keyof typeof serviceTypes;

/** Kinds of parts that live in a process and are shown with it. Collectors are `collector.<name>`. */
export const servicePartTypes = {
  'outbox-relay': 'Sends the messages that wait in the database',
  collector: 'Collects a model of the cloud',
} as const;

/** Such as `collector.compute`. */
export type ServicePartName = 'outbox-relay' | `collector.${string}`;
