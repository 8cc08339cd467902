import { flag, integer } from '#libs/service-kit/env';

/** Configuration of the recovery coordinator. */
export const coordinatorEnv = {
  VIGIL_COORDINATOR_RECOVERY: flag({
    default: true,
    description: 'Whether the coordinator recovers work; when off it only observes and reports.',
  }),
  VIGIL_COORDINATOR_LEASE_SECONDS: integer({
    default: 15,
    min: 2,
    max: 600,
    description: 'Length of the lease of the leader; another coordinator takes over after it.',
  }),
  VIGIL_COORDINATOR_POLL_SECONDS: integer({
    default: 2,
    min: 1,
    max: 600,
    description: 'How often the coordinator searches for expired leases, events and orphaned work.',
  }),
  VIGIL_COORDINATOR_CHECK_SECONDS: integer({
    reloadable: true,
    default: 10,
    min: 1,
    max: 3600,
    description: 'How often the coordinator requests a Check from every process.',
  }),
} as const;
