import {
  approvalRulesSchema,
  automationRulesSchema,
  oppositeAuditsModes,
  parseApprovalRules,
  parseAutomationRules,
} from '#libs/domain';
import { choice, flag, integer, list, parsed, text, timeZone } from './env-key.ts';

/**
 * `VIGIL_CRON_TIME_ZONE`: the time zone of cron expressions in decision engines. The API passes it to the dashboard.
 */
export const cronTimeZone = timeZone({
  default: 'UTC',
  description: 'Time zone for cron expressions of audits; the same in all engines and APIs.',
});

/** `VIGIL_OPPOSITE_AUDITS`: the API applies it to new audits, decision engines apply it to runs. */
export const oppositeAudits = choice({
  reloadable: true,
  words: oppositeAuditsModes,
  default: 'allow',
  description: '`allow`, `refuse` or `merge` opposite CONTINUOUS audits (run.md).',
});

/** `VIGIL_APPROVAL_RULES`: decision engines apply them to new plans, the API to plans that start. */
export const approvalRules = parsed({
  reloadable: true,
  default: '[]',
  schema: approvalRulesSchema,
  parse: parseApprovalRules,
  description: 'Plans that a second person approves first; see approval.md.',
});

/** `VIGIL_AUTOMATION_RULES`: decision engines start plans by it, and the API shows it. */
export const automationRules = parsed({
  reloadable: true,
  default: '{}',
  schema: automationRulesSchema,
  parse: parseAutomationRules,
  description: 'Limits of automatic starts; see automation.md.',
});

/** Address of the API. `vigil up` passes it on. */
export const listenKeys = {
  VIGIL_HOST: text({ default: '127.0.0.1', description: 'Address on which the API listens.' }),
  VIGIL_PORT: integer({ default: 9322, min: 0, max: 65_535, description: 'Port of the API; 0 takes a free one.' }),
} as const;

/** `VIGIL_PLUGINS_STRICT` of decision engines and appliers. */
export const pluginsStrict = flag({
  default: false,
  description:
    'Refuse to start when a plugin cannot be loaded. By default the rest is loaded, and the broken plugin is logged, named by /readyz and shown by `vigil plugins`.',
});

/** `VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN`: appliers enforce it, the API estimates durations by it. */
export const maxActionsPerPlan = integer({
  reloadable: true,
  default: 64,
  min: 1,
  max: 1000,
  description: 'Concurrent actions of one plan. The graph of a plan limits its migrations further.',
});

/** Limits for one host: decision engines plan by them, appliers enforce them, the API estimates durations by them. */
export const hostLimits = {
  VIGIL_PLAN_PARALLEL_PER_SOURCE_HOST: integer({
    reloadable: true,
    default: 2,
    min: 1,
    max: 100,
    description: 'Concurrent migrations out of one host.',
  }),
  VIGIL_PLAN_PARALLEL_PER_DESTINATION_HOST: integer({
    reloadable: true,
    default: 2,
    min: 1,
    max: 100,
    description: 'Concurrent migrations into one host.',
  }),
} as const;

/**
 * `VIGIL_PARALLEL_PER_NETWORK`.
 * @param by how it is enforced, for the description
 */
export function parallelPerNetwork(by: string) {
  return integer({
    reloadable: true,
    default: 8,
    min: 1,
    max: 1000,
    description: `Concurrent migrations over one network, ${by}.`,
  });
}

/**
 * Limits for one network and one aggregate: decision engines plan by them, appliers enforce them.
 * @param by how they are enforced, for the descriptions
 */
export function migrationLimits(by: string) {
  return {
    VIGIL_PARALLEL_PER_NETWORK: parallelPerNetwork(by),
    VIGIL_PARALLEL_PER_AGGREGATE: integer({
      reloadable: true,
      default: 0,
      min: 0,
      max: 1000,
      description: `Concurrent migrations from or to the hosts of one aggregate, ${by}; 0: no limit.`,
    }),
  } as const;
}

/** `VIGIL_MIGRATION_NETWORKS`: decision engines plan by it, appliers enforce it, the API estimates durations by it. */
export const migrationNetworks = list({
  reloadable: true,
  description:
    'Hosts that share a network for migrations, as `<network>=<host name with *>`, separated by commas; hosts that are not listed share none.',
});

/**
 * `VIGIL_NOTIFICATION_ALLOWED_HOSTS`: schedulers call targets by it, the API accepts targets by it. Must be the same
 * for all.
 */
export const notificationAllowedHosts = list({
  description: 'Hosts of targets that may be private; `http://<host>`: without TLS too.',
});
