import { novaFilters } from '#libs/cluster-model';
import { actionFacts } from '#libs/domain';
import { dataSourcesEnv } from '#libs/history/connect';
import {
  approvalRules,
  automationRules,
  choices,
  cronTimeZone,
  flag,
  hostLimits,
  integer,
  list,
  maxActionsPerPlan,
  migrationLimits,
  migrationNetworks,
  oppositeAudits,
  pluginsStrict,
  urls,
} from '#libs/service-kit/env';

const byWeight = Object.entries(actionFacts).sort(
  ([, one], [, other]) => other.weighting.weight - one.weighting.weight,
);
const weightTexts = byWeight.map(([type, { weighting }]) => `${type} ${weighting.weight}`).join(', ');
const singleTypes = byWeight
  .flatMap(([type, { weighting }]) => (weighting.parallelization === 1 ? type : []))
  .join(', ');

/** Configuration of the decision engine. See docs/configuration.md, which is generated from it. */
export const decisionEngineEnv = {
  ...dataSourcesEnv,
  VIGIL_PLUGINS: list({
    description: 'Plugins to load besides the built-in ones: npm packages or folders, separated by commas.',
  }),
  VIGIL_PLUGINS_STRICT: pluginsStrict,
  VIGIL_AUDIT_WORKERS: integer({ default: 2, min: 1, max: 64, description: 'Concurrent audits of this process.' }),
  VIGIL_STRATEGY_TIMEOUT_SECONDS: integer({
    reloadable: true,
    default: 300,
    min: 1,
    max: 86_400,
    description:
      'Time limit of a strategy, and of the planner and the goal after it; then the thread of the run is ended.',
  }),
  VIGIL_STRATEGY_MEMORY_MB: integer({
    default: 2048,
    min: 64,
    max: 1_048_576,
    description:
      'Heap of the thread of a strategy run, in MiB; beyond it the run fails. A run with an external plugin also fails when the process has grown by twice as much.',
  }),
  VIGIL_AUDIT_MAX_ATTEMPTS: integer({
    reloadable: true,
    default: 3,
    min: 1,
    max: 100,
    description:
      'Runs of one audit before it fails, including those that died with their process, without those that an orderly stop or an outage of the database ended.',
  }),
  VIGIL_AUDIT_OUTAGE_SECONDS: integer({
    reloadable: true,
    default: 900,
    min: 0,
    max: 86_400,
    description: 'How long an audit waits for an unavailable cloud, history or database before it fails.',
  }),
  VIGIL_AUDIT_POLL_SECONDS: integer({
    reloadable: true,
    default: 5,
    min: 1,
    max: 3600,
    description: 'How often to search for audits whose message or decision engine was lost.',
  }),
  VIGIL_CRON_TIME_ZONE: cronTimeZone,
  VIGIL_OPPOSITE_AUDITS: oppositeAudits,
  VIGIL_APPROVAL_RULES: approvalRules,
  VIGIL_AUTOMATION_RULES: automationRules,
  VIGIL_LEASE_SECONDS: integer({
    default: 30,
    min: 3,
    max: 600,
    description: 'Length of the lease on an audit; another decision engine takes over after it.',
  }),
  VIGIL_MODEL_MAX_AGE_SECONDS: integer({
    reloadable: true,
    default: 10,
    min: 0,
    max: 86_400,
    description: 'An audit collects the compute model again when the last one is older.',
  }),
  VIGIL_MODEL_PERIOD_SECONDS: integer({
    reloadable: true,
    default: 3600,
    min: 10,
    max: 86_400,
    description: 'The compute model is collected again after this time even without an audit.',
  }),
  VIGIL_NOVA_NOTIFICATIONS_URL: urls({
    schemes: ['amqp:', 'amqps:'],
    secret: true,
    description:
      'RabbitMQ to which Nova sends its versioned notifications, with its virtual host; several, separated by commas, where each cell has its own. The compute model follows them. Without it the model is collected as often as audits need it.',
  }),
  VIGIL_NOVA_NOTIFICATION_TOPICS: list({
    default: 'nova.versioned_notifications',
    description: 'The topics to follow there, as `<exchange>.<topic>`, separated by commas.',
  }),
  VIGIL_CINDER_NOTIFICATIONS_URL: urls({
    schemes: ['amqp:', 'amqps:'],
    secret: true,
    description:
      'The same for the notifications of Cinder, which the storage model follows. Cinder does not report migrations of volumes by others.',
  }),
  VIGIL_CINDER_NOTIFICATION_TOPICS: list({
    default: 'openstack.notifications,cinder.notifications',
    description: 'The topics to follow there, as `<exchange>.<topic>`, separated by commas.',
  }),
  VIGIL_NEUTRON_NOTIFICATIONS_URL: urls({
    schemes: ['amqp:', 'amqps:'],
    secret: true,
    description: 'The same for the notifications of Neutron, which the network ports of the compute model follow.',
  }),
  VIGIL_NEUTRON_NOTIFICATION_TOPICS: list({
    default: 'openstack.notifications,neutron.notifications',
    description: 'The topics to follow there, as `<exchange>.<topic>`, separated by commas.',
  }),
  VIGIL_NOVA_CELLS: list({
    description:
      'Cells of Nova by the service hosts in them, since Nova does not report them: `cell=pattern|pattern`, separated by commas, with `*` for any characters, such as `paris=pa-*,rome=ro-*`. Nothing is moved from cell to cell; hosts without a pattern form one more cell. Without it a cloud has one cell.',
  }),
  VIGIL_MODEL_FOLLOWED_MAX_AGE_SECONDS: integer({
    default: 300,
    min: 0,
    max: 86_400,
    description:
      'Replaces VIGIL_MODEL_MAX_AGE_SECONDS, if it is longer, while the notifications for the model are followed without a gap.',
  }),
  VIGIL_HOST_BOUND_POOLS: list({
    description:
      "Cinder's pools whose volumes only one compute node reaches, as `host@backend#pool` with `*`, separated by commas, such as `*@local#*`; servers with a volume there are not moved.",
  }),
  VIGIL_MIXED_CPU_MODELS: flag({
    default: false,
    description:
      'Whether live migrations between hosts with different CPU models are possible, because all guests see the same CPU (`cpu_mode=custom` of Nova); false: servers are migrated live only between hosts for which Nova reports the same CPU model.',
  }),
  VIGIL_NOVA_FILTERS: choices({
    words: novaFilters,
    default: novaFilters,
    description:
      "Filters of Nova's scheduler that are enabled in this cloud, separated by commas, since no API reports them. With `ComputeCapabilitiesFilter`, flavors may demand properties of hypervisors: a server stays where no API shows such a property. The others read hints of servers, which Nova shows from 2.100 on: with `JsonFilter` and `SimpleCIDRAffinityFilter`, servers with the hints `query` and `build_near_host_ip` are not moved, as only Nova can judge these.",
  }),
  VIGIL_SHARES_MAX_AGE_SECONDS: integer({
    default: 600,
    min: 0,
    max: 86_400,
    description:
      'How long the model uses the list of shares of a server, where the catalogue has a share service: Nova lists them for one server at a time. Servers with a share are not moved, as Nova refuses it. The shares are read again before each move.',
  }),
  VIGIL_PORTS_MAX_AGE_SECONDS: integer({
    default: 600,
    min: 0,
    max: 86_400,
    description:
      'How long the model uses the list of network ports, where the catalogue has Neutron. Servers with a port for an accelerator, for SR-IOV, for vDPA or with guaranteed bandwidth are not moved, as Nova refuses it or no API shows free devices. Without Neutron, servers are moved regardless of their ports, and reports say so. When Neutron does not respond, a list of up to six times this age is used.',
  }),
  VIGIL_PLACEMENT_QUERIES: integer({
    default: 50,
    min: 0,
    max: 10_000,
    description:
      'How many queries of Placement an audit makes at most, for moves of servers with virtual GPUs, custom resource classes or groups of requests, which the model does not count: `GET /allocation_candidates` for each such move that a strategy wants, within 20 s. The others stay where they are. Virtual GPUs only with Nova 2025.1 or newer. 0: such servers are not moved.',
  }),
  VIGIL_COLLECTOR_CONCURRENCY: integer({
    default: 16,
    min: 1,
    max: 128,
    description: 'Concurrent requests to the cloud while the model is collected.',
  }),
  VIGIL_PLAN_PARALLEL_MIGRATIONS: integer({
    reloadable: true,
    default: 0,
    min: 0,
    max: 1000,
    description:
      'Concurrent migrations of one plan; 0: one for each 25 hosts of the audit, at least 8, so that the share of copying hosts does not depend on the size of the cloud.',
  }),
  VIGIL_PLAN_MIGRATION_BUDGET: integer({
    reloadable: true,
    default: 500,
    min: 0,
    max: 1_000_000,
    description:
      'Maximum number of migrations in one plan, except in plans that empty a host or zone by order; 0: no limit.',
  }),
  VIGIL_FAILURE_RESERVE: integer({
    reloadable: true,
    default: 1,
    min: 0,
    max: 10,
    description:
      'Hosts of every failure domain that may fail simultaneously, for audits without `failure_reserve`, or `reserve_hosts` of an optimizer; 0: no reserve.',
  }),
  VIGIL_PREDICT_SECONDS: integer({
    reloadable: true,
    default: 0,
    min: 0,
    max: 86_400,
    description:
      'How far ahead strategies plan: means of metrics are extrapolated to this time by their trend in the window, never further than the length of the window; 0: as measured.',
  }),
  VIGIL_MOVE_COOL_DOWN_SECONDS: integer({
    reloadable: true,
    default: 1800,
    min: 0,
    max: 604_800,
    description:
      'How long CONTINUOUS and EVENT audits leave an instance alone after a plan has moved it; twice as long after each further move within a day, a day at most; 0: not at all. An instance that breaks a rule is repaired after this time.',
  }),
  VIGIL_OPPOSITE_MOVE_REST_SECONDS: integer({
    reloadable: true,
    default: 86_400,
    min: 0,
    max: 86_400,
    description:
      'How long a CONTINUOUS audit leaves an instance alone after a move by another one that undoes it (one packs, the other spreads), so that the audit that moved an instance last decides about it; 0: no longer than after any move.',
  }),
  VIGIL_INSTANCE_MOVES_PER_DAY: integer({
    reloadable: true,
    default: 4,
    min: 0,
    max: 1000,
    description:
      'Number of moves after which CONTINUOUS and EVENT audits leave an instance alone until the first of them is a day old; 0: no limit. Moves by plans of all audits count.',
  }),
  VIGIL_HOST_MOVES_PER_HOUR: integer({
    reloadable: true,
    default: 100,
    min: 0,
    max: 100_000,
    description:
      'Maximum number of moves from and to one host in an hour by CONTINUOUS and EVENT audits; 0: no limit. Moves by plans of all audits count. It never holds back moves by order, moves off overloaded hosts and repairs of broken rules. Hosts with more instances are emptied by order only.',
  }),
  VIGIL_CLOUD_MOVES_PER_HOUR: integer({
    reloadable: true,
    default: 1000,
    min: 0,
    max: 1_000_000,
    description: 'The same for the whole cloud; 0: no limit.',
  }),
  VIGIL_FAILED_MOVE_BACK_OFF_SECONDS: integer({
    reloadable: true,
    default: 1800,
    min: 0,
    max: 86_400,
    description:
      'How long audits leave an instance or a volume alone after its migration failed in any plan; twice as long after each further failure, a day at most; 0: not at all. Strategies that follow explicit orders, such as host_maintenance, retry it.',
  }),
  VIGIL_REFUSED_MOVE_REST_SECONDS: integer({
    reloadable: true,
    default: 21_600,
    min: 0,
    max: 604_800,
    description:
      'How long audits leave out a move that Nova or Cinder refused in any plan for a reason that lasts, such as a Manila share. When no valid host was found, or the destination does not fit, only that destination is left out for the instance; otherwise the instance or volume stays. 0: refusals count like failed migrations. Strategies that follow explicit orders retry such a move where no other host is left.',
  }),
  ...hostLimits,
  VIGIL_APPLIER_MAX_ACTIONS_PER_PLAN: maxActionsPerPlan,
  VIGIL_WEIGHT_PLANNER_WEIGHTS: list({
    reloadable: true,
    description: `Weights of action types for strategies with planner \`weight\`, as \`<action type>:<number>\`, separated by commas; heavier types run first. Types that are not named keep theirs: ${weightTexts}. A type from a plugin needs one there.`,
  }),
  VIGIL_WEIGHT_PLANNER_PARALLELIZATION: list({
    reloadable: true,
    description: `Number of actions of a type that planner \`weight\` runs at once, as \`<action type>:<number>\`, separated by commas; by default ${singleTypes} and types from plugins 1, the others 2.`,
  }),
  VIGIL_MIGRATION_NETWORKS: migrationNetworks,
  ...migrationLimits('by the graph of a plan'),
} as const;
