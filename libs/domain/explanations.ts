/** A quantity before and after an action or a plan, such as a host's CPU load in percent. */
export interface BeforeAfter {
  /** Measured quantity, such as `host_cpu_usage` or `standard_deviation`. */
  quantity: string;
  /** Owner of the value: a host name, an instance uuid, or `cluster`. */
  subject: string;
  /** Unit of both numbers, such as `%`, `MB`, `fraction`. Empty for plain counts. */
  unit: string;
  before: number;
  after: number;
}

/** A rejected destination or action, with the reason. */
export interface RejectedAlternative {
  alternative: string;
  /** Name of the constraint or rule that refused it, such as `vcpu`, `anti-affinity`, `worse-spread`. */
  because: string;
  /** Number of further alternatives that the same rule refused. */
  others: number;
}

/** Why a strategy proposes an action. `summary` is one sentence for operators. The other fields are the evidence. */
export interface ActionReason {
  rule: string;
  summary: string;
  values: BeforeAfter[];
  rejected: RejectedAlternative[];
}

/** Number of considered resources that a constraint excluded. */
export interface BlockedCount {
  constraint: string;
  count: number;
  /** At most ten names as examples. */
  examples: string[];
}

/** Values whose newest sample lags the end of the window by more than the sampling interval of the resource. */
export interface LateValues {
  /** How many resources have such values. */
  resources: number;
  /** Age of the oldest of these newest samples, seconds. */
  ageSeconds: number;
}

/** Values above the cap of their metric. They count as missing. */
export interface ImpossibleValues {
  /** How many resources have such values. */
  resources: number;
  /** The greatest of them, in the unit of the metric. */
  greatest: number;
  /** At most ten of the resources. */
  examples: string[];
}

/** A metric that a run requested. `missing` counts resources without a value in the window. */
export interface MetricUse {
  metric: string;
  resourceType: 'compute_node' | 'instance';
  aggregate: string;
  periodSeconds: number;
  /** Number of windows of this length. This one has the most gaps. Absent for a single window. */
  windows?: number;
  asked: number;
  missing: number;
  missingExamples: string[];
  /** Name of the data source of all values. Null when no source had values, absent when the source is unknown. */
  source?: string | null;
  /** Data sources that were queried before and skipped, with the reasons. Absent when none was skipped. */
  passedOver?: string[];
  /** Values that lag behind. Absent without such values. */
  late?: LateValues;
  /** Values that count as missing because they are impossible. Absent without such values. */
  impossible?: ImpossibleValues;
}

/** One aim of a search, before and after the plan. */
export interface ObjectiveTerm {
  /** Levels are compared in order: 0 repair, 1 risk, 2 aim, 3 price of the migrations. */
  level: number;
  term: string;
  unit: string;
  before: number;
  after: number;
  /** Lower bound: no plan can be better. Null without a proof. */
  bound: number | null;
}

/**
 * Why a search ended: its work was done, the time limit or a request ended it, the bound was reached, or no known move
 * improves the result. After a time limit, another run may find a better result.
 */
export type SearchEnd = 'work' | 'clock' | 'request' | 'bound' | 'converged';

/** Effort of a search. */
export interface SearchReport {
  /** Units of work done, and the budget. */
  work: number;
  budget: number;
  endedBy: SearchEnd;
  /** Number of starts of the search, and the start that produced the plan. */
  starts: number;
  bestStart: number;
}

/** A point of the curve "value against migrations". Each point is a separate plan, not a part of a larger plan. */
export interface CurvePoint {
  /** Limit of its migrations. 0: no limit. */
  budget: number;
  /** Number of its migrations, and the memory that they copy. */
  moves: number;
  gib: number;
  /** Sequential duration of its migrations, in seconds. */
  seconds: number;
  /** Expected duration of its plan in seconds, 10th to 90th percentile. Absent in reports of earlier releases. */
  duration?: { low: number; high: number };
  /** Remaining points: 100 is the current state, 0 the proved bound. Less is better. */
  value: number;
  /** Lower bound of the points for this number of migrations. */
  bound: number;
  /** Whether it became the plan of the run. */
  chosen: boolean;
}

/** Intermediate results of a running search. */
export interface SearchStatus {
  /** A caller has requested the best result so far. */
  isFinishing: boolean;
  /**
   * Best plan so far: its points (100 is the current state, 0 the bound), the lower bound for its size, and its
   * migrations. Null until known.
   */
  value: number | null;
  bound: number | null;
  moves: number | null;
  /** Units of work done, and total units, of all starts that have reported. */
  work: number;
  budget: number;
  starts: number;
}

/** Report of a run of an audit: considered, blocked and measured resources. Stored with the audit. */
export interface AuditReport {
  strategy: string;
  hosts: { considered: number; eligible: number };
  instances: { considered: number; eligible: number };
  /** Block storage. Only for strategies that check it. */
  pools?: { considered: number; eligible: number };
  volumes?: { considered: number; eligible: number };
  blocked: BlockedCount[];
  metrics: MetricUse[];
  /** Age of the model when the run started, in seconds. */
  modelAgeSeconds: number;
  modelComplete: boolean;
  /** Why the plan has no action. Null when it has actions. */
  emptyBecause: string | null;
  notes: string[];
  /** Aims before and after the plan. Only for search-based strategies. */
  objective?: ObjectiveTerm[];
  /**
   * Fraction of the possible gain that the plan does not reach on the level of the aim, 0 to 1. Null without a bound.
   */
  gap?: number | null;
  /** Gains of plans of several sizes, the smallest first. Only for search-based strategies. */
  curve?: CurvePoint[];
  /** Only for search-based strategies. */
  search?: SearchReport;
  /** Phase in which the run failed. Absent when it did not. */
  failedIn?: 'strategy' | 'planner';
  /** Wall time of each phase in milliseconds, such as `model`, `metrics`, `strategy`, `planner`. */
  timingsMs: Record<string, number>;
}
