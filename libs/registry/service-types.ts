/** Kinds of processes. Two kinds with one service name may not run on one host together. */
export const serviceTypes = {
  'watcher-api': { title: 'REST API', serviceName: 'watcher-api' },
  'watcher-decision-engine': { title: 'Runs audits', serviceName: 'watcher-decision-engine' },
  'watcher-applier': { title: 'Executes action plans', serviceName: 'watcher-applier' },
  scheduler: { title: 'Work by the clock', serviceName: 'scheduler' },
  'recovery-coordinator': {
    title: 'Observes the others and recovers what they leave',
    serviceName: 'recovery-coordinator',
  },
} as const satisfies Record<string, { title: string; serviceName: string }>;

export type ServiceTypeName = keyof typeof serviceTypes;
