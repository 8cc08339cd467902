/** Treatment of the rest of a plan when an action fails. `continue` is Watcher's behaviour. */
export const onFailurePolicies = ['continue', 'stop', 'rollback'] as const;
export type OnFailure = (typeof onFailurePolicies)[number];

/** Values of a control by its type. A whole number is from 1 to 1,000,000. A zone is an IANA name. */
interface ControlValues {
  policy: OnFailure;
  flag: boolean;
  time: Date | null;
  cron: string | null;
  zone: string | null;
  whole: number | null;
}

/** One control: its column and API field, its type, and its texts in the API document. */
interface PlanControl {
  /** Column of `action_plans` and field of the API. */
  name: string;
  type: keyof ControlValues;
  /** Text of the option of a start. Absent in controls that no start sets. */
  option?: string;
  /** Text of the flag of `vigil actionplan start`. Present exactly with `option`. */
  flag?: string;
  /** Text of the field that shows it. Absent where the API does not show it. Empty for fields without a text. */
  shown?: string;
}

const failurePolicy = {
  onFailure: {
    name: 'on_failure',
    type: 'policy',
    option: 'Handling of the remaining actions when an action fails (extension).',
    flag: 'when an action fails: continue (its dependents run if they are still valid, else they are skipped), stop, or rollback',
    shown: 'Handling of the remaining actions when an action fails.',
  },
} as const satisfies Record<string, PlanControl>;

const requestedStates = {
  /** No further action starts while it is set. Running ones end. */
  paused: { name: 'paused', type: 'flag', shown: 'Whether the plan is paused: no further actions start.' },
  /** Set with a request to cancel: running actions are aborted if possible. */
  abortRunning: { name: 'abort_running', type: 'flag', shown: 'Running actions are aborted where possible.' },
  /** No action starts before this time: the plan waits for its maintenance window. */
  holdUntil: { name: 'hold_until', type: 'time', shown: 'Earliest start of actions; ISO 8601 with offset.' },
} as const satisfies Record<string, PlanControl>;

const maintenanceWindow = {
  /** No action starts before it. */
  windowStart: {
    name: 'window_start',
    type: 'time',
    option: 'Earliest start of actions; ISO 8601 (extension).',
    flag: 'earliest start of actions (ISO 8601)',
    shown: 'ISO 8601 with offset.',
  },
  /** No action starts after it. */
  windowEnd: {
    name: 'window_end',
    type: 'time',
    option: 'Latest start of actions; ISO 8601 (extension).',
    flag: 'latest start of actions (ISO 8601)',
    shown: 'ISO 8601 with offset.',
  },
  /** Start times of a repeated window. */
  windowCron: {
    name: 'window_cron',
    type: 'cron',
    option: 'Start times of a recurring window, a cron expression in window_zone (extension).',
    flag: 'start times of a recurring maintenance window; a sixth field is the seconds',
    shown: 'Start times of a repeated window, in window_zone.',
  },
  /** Time zone of a repeated window. Null for UTC. */
  windowZone: {
    name: 'window_zone',
    type: 'zone',
    option: 'IANA time zone of window_cron, such as Europe/Berlin; default UTC (extension).',
    flag: 'IANA time zone of --window-cron, such as Europe/Berlin; default UTC',
    shown: 'IANA time zone of window_cron; null for UTC.',
  },
  /** Length of a repeated window in seconds. */
  windowSeconds: {
    name: 'window_seconds',
    type: 'whole',
    option: 'Length of a repeated maintenance window (extension).',
    flag: 'length of a recurring maintenance window',
    shown: '',
  },
} as const satisfies Record<string, PlanControl>;

const limits = {
  /** Parallel actions. Null: the applier's own limit, which is never exceeded. */
  maxWorkers: {
    name: 'max_workers',
    type: 'whole',
    option: 'Maximum number of parallel actions; never more than the applier allows (extension).',
    flag: 'maximum number of parallel actions',
    shown: '',
  },
  /** Most migrations that the plan may start. Null: no limit. */
  maxMigrations: {
    name: 'max_migrations',
    type: 'whole',
    option: 'Maximum number of migrations; only whole steps of the plan start (extension).',
    flag: 'maximum number of migrations; only whole steps start, such as all migrations that drain a host',
    shown: '',
  },
} as const satisfies Record<string, PlanControl>;

const confirmations = {
  /**
   * Whether it runs although hosts have changed since its creation: confirmed at its start, or ordered by the operator.
   */
  forceStale: {
    name: 'force_stale',
    type: 'flag',
    option: 'Confirms a stale plan: it runs although its hosts have changed since (extension).',
    flag: 'start even if hosts have changed since the plan was created',
  },
} as const satisfies Record<string, PlanControl>;

/**
 * Fields by which operators control a plan, by their names in `ActionPlan`. The columns of the store, the options of a
 * start, its flags in the command line, and the fields of the API and its document come from this list.
 */
export const planControls = {
  ...failurePolicy,
  ...requestedStates,
  ...maintenanceWindow,
  ...limits,
  ...confirmations,
} as const;

/** Controls that the body of a start may set. */
export const startControls = { ...failurePolicy, ...limits, ...maintenanceWindow, ...confirmations } as const;

/** Values of all controls of a plan. */
export type PlanControls = {
  -readonly [Name in keyof typeof planControls]: ControlValues[(typeof planControls)[Name]['type']];
};

/** A control with its name in `ActionPlan`. */
export type NamedPlanControl = PlanControl & { key: keyof PlanControls };

/** The controls of a list, each with its name in `ActionPlan`. */
export function controlsOf(list: Partial<typeof planControls>): NamedPlanControl[] {
  return Object.entries(list).map(([key, control]) => ({ key: key as keyof PlanControls, ...control }));
}
