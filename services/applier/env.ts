import {
  choice,
  flag,
  hostLimits,
  integer,
  list,
  maxActionsPerPlan,
  migrationLimits,
  migrationNetworks,
  number,
  pluginsStrict,
} from '#libs/service-kit/env';

/** Configuration of the applier. See docs/configuration.md, which is generated from it. */
export const applierEnv = {
  VIGIL_PLUGINS: list({
    description:
      'Plugins with action types to load besides the built-in ones: npm packages or folders, separated by commas; the list of the decision engine works too.',
  }),
  VIGIL_PLUGINS_STRICT: pluginsStrict,
  VIGIL_APPLIER_WORKERS: integer({
    default: 1,
    min: 1,
    max: 64,
    description:
      'Maximum concurrent action plans that this process starts. It continues as many plans of dead appliers in addition, so that those do not wait.',
  }),
  VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN: maxActionsPerPlan,
  ...hostLimits,
  VIGIL_PARALLEL_ACTIONS: integer({
    reloadable: true,
    default: 64,
    min: 1,
    max: 10_000,
    description: 'Concurrent actions on the cloud, over all plans and appliers.',
  }),
  VIGIL_MIGRATION_NETWORKS: migrationNetworks,
  ...migrationLimits('over all plans and appliers'),
  VIGIL_APPLIER_FAILURE_SHARE: number({
    reloadable: true,
    default: 0.5,
    min: 0.01,
    max: 1,
    description: 'Share of failed actions at which a plan is stopped, because the cloud seems broken.',
  }),
  VIGIL_APPLIER_FAILURE_MINIMUM: integer({
    reloadable: true,
    default: 10,
    min: 1,
    max: 1_000_000,
    description: 'Number of attempted actions from which a plan may be stopped for its share of failures.',
  }),
  VIGIL_OUTCOME_BEFORE_SECONDS: integer({
    reloadable: true,
    default: 60,
    min: 0,
    max: 3600,
    description:
      'Longest wait for the measurement of the cloud before the first action of a plan; without a result in time the plan runs and its effect is reported as not measured. 0: plans do not wait. They do not wait either while no decision engine is alive.',
  }),
  VIGIL_OUTCOME_DELAY_SECONDS: integer({
    reloadable: true,
    default: 300,
    min: 0,
    max: 86_400,
    description:
      'Time from the end of a plan to the start of the window over which its effect is measured; the window is as long as the one that the strategy averages over.',
  }),
  VIGIL_APPLIER_LEASE_SECONDS: integer({
    default: 30,
    min: 3,
    max: 600,
    description: 'Length of the lease on an action plan; another applier takes over after it.',
  }),
  VIGIL_APPLIER_POLL_SECONDS: integer({
    reloadable: true,
    default: 5,
    min: 1,
    max: 600,
    description:
      'How often to search for action plans whose message was lost. Plans of a lost applier are taken over when its lease expires.',
  }),
  VIGIL_APPLIER_DRAIN_SECONDS: integer({
    default: 8,
    min: 0,
    max: 3600,
    description: 'Time for running actions to end when the process stops; then another applier continues them.',
  }),
  VIGIL_APPLIER_PLAN_TIMEOUT_HOURS: integer({
    reloadable: true,
    default: 24,
    min: 1,
    max: 8760,
    description: 'No action of a plan starts later than this after its first one.',
  }),
  VIGIL_PLAN_CREDENTIALS: choice({
    words: ['standing', 'per_plan'],
    default: 'standing',
    description: '`standing`: plans use those of the applier. `per_plan`: each plan has one.',
  }),
  VIGIL_PLAN_CREDENTIAL_ROLES: list({
    default: 'admin',
    description: 'Roles of such a credential; empty: all of the applier.',
  }),
  VIGIL_APPLIER_MAX_TAKEOVERS: integer({
    reloadable: true,
    default: 5,
    min: 1,
    max: 1000,
    description: 'Take-overs after which an action plan is abandoned as FAILED.',
  }),
  VIGIL_APPLIER_ON_CRASH: choice({
    reloadable: true,
    words: ['resume', 'cancel'],
    default: 'resume',
    description:
      'Handling of the plan of a dead applier: it is continued, or cancelled as in Watcher (actions that the cloud already executes are waited for).',
  }),
  VIGIL_APPLIER_EXECUTION_RULES: list({
    reloadable: true,
    description:
      'Strategies whose actions are alternatives, as `<strategy>=ANY`, separated by commas; the rest run all their actions (`ALWAYS`).',
  }),
  VIGIL_MIGRATION_POLL_SECONDS: number({
    reloadable: true,
    default: 5,
    min: 0.1,
    max: 600,
    description: 'Time between two polls of a running migration.',
  }),
  VIGIL_MIGRATION_TIMEOUT_SECONDS: integer({
    reloadable: true,
    default: 900,
    min: 1,
    max: 86_400,
    description: 'Time budget of a migration; 20 % are added before it fails.',
  }),
  VIGIL_DELETE_TIMEOUT_SECONDS: integer({
    reloadable: true,
    default: 15,
    min: 1,
    max: 86_400,
    description: 'Time budget of an action `delete`.',
  }),
  VIGIL_SHELVE_TIMEOUT_SECONDS: integer({
    reloadable: true,
    default: 15,
    min: 1,
    max: 86_400,
    description: 'Time budget of an action `shelve`. Instances with large disks need more.',
  }),
  VIGIL_VOLUME_MIGRATION_TIMEOUT_SECONDS: integer({
    reloadable: true,
    default: 21_600,
    min: 1,
    max: 604_800,
    description: 'Time budget of the migration of a volume, or of a change of its type.',
  }),
  VIGIL_POWER_OFF_IGNORES_SHUTOFF: flag({
    reloadable: true,
    default: false,
    description: 'Whether a host with servers that are shut off may be powered off.',
  }),
  VIGIL_NOTIFICATION_LEVEL: choice({
    words: ['none', 'debug', 'info', 'warning', 'error', 'critical'],
    default: 'info',
    description:
      "Lowest priority of Watcher's notifications that are sent to the exchange `watcher` of VIGIL_AMQP_URL; `none` for no notifications.",
  }),
  VIGIL_NOTIFICATION_AUDIT_LOG: flag({
    default: false,
    description:
      "Whether that exchange gets the audit log as CADF events too (`audit.http.request`, `audit.http.response`), as from Keystone's audit middleware.",
  }),
  VIGIL_NOTIFICATION_DURABLE: flag({
    default: false,
    description:
      'Whether that exchange is durable; must match the declaration of its consumers (`amqp_durable_queues`).',
  }),
  VIGIL_APPLIER_TIME_SCALE: number({
    default: 1,
    min: 1,
    max: 10_000,
    description: 'How many times faster than real the time of a simulated cloud passes; waits are shortened by it.',
  }),
} as const;
