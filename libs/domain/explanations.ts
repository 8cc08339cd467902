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

/** A destination (or action) that was considered and not taken, and why. */
export interface RejectedAlternative {
  alternative: string;
  /** Name of the constraint or rule that refused it, such as `vcpu`, `anti-affinity`, `worse-spread`. */
  because: string;
  /** How many further alternatives the same rule refused; 0 when only this one. */
  others: number;
}

/** Why a strategy proposes an action. `summary` is one sentence for people. The rest is the evidence. */
export interface ActionReason {
  rule: string;
  summary: string;
  values: BeforeAfter[];
  rejected: RejectedAlternative[];
}

/** How many of the considered things a constraint kept out. */
export interface BlockedCount {
  constraint: string;
  count: number;
  /** At most ten names, for people to check. */
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
  /** Windows of this length, of which this is the one with the most gaps. Absent for one. */
  windows?: number;
  asked: number;
  missing: number;
  missingExamples: string[];
  /** Name of the data source that all values are from. Null when none had any, absent when it is not known. */
  source?: string | null;
  /** Data sources that were queried first, and why each was passed over. Absent when there were none. */
  passedOver?: string[];
  /** Values that the source had not kept up with. Absent when there were none. */
  late?: LateValues;
  /** Values that count as missing because they are impossible. Absent when there were none. */
  impossible?: ImpossibleValues;
}

/** One aim of a search, before and after the plan. */
export interface ObjectiveTerm {
  /** Levels are compared in order: 0 repair, 1 risk, 2 the aim, 3 the price of the migrations. */
  level: number;
  term: string;
  unit: string;
  before: number;
  after: number;
  /** No plan can be better than this. Null where nothing is proved. */
  bound: number | null;
}

/**
 * Why a search ended: its work was done, the clock or a request came first, the bound was reached, or nothing that it
 * knows improves the result. When the clock ended it, another run may go further.
 */
export type SearchEnd = 'work' | 'clock' | 'request' | 'bound' | 'converged';

/** How far a search went. */
export interface SearchReport {
  /** Units of work that were done, and that it had. */
  work: number;
  budget: number;
  endedBy: SearchEnd;
  /** How often the search was started, and which of these starts the plan is of. */
  starts: number;
  bestStart: number;
}

/** A point of the curve "value against migrations". Each is its own plan, not a part of a larger one. */
export interface CurvePoint {
  /** Migrations that it may have; 0: any number. */
  budget: number;
  /** Migrations that it has, and the memory that they copy. */
  moves: number;
  gib: number;
  /** Duration of its migrations, one after the other, in seconds. */
  seconds: number;
  /** Expected duration of its plan in seconds, 10th to 90th percentile. Absent in reports of earlier releases. */
  duration?: { low: number; high: number };
  /** Remaining points: 100 is today, 0 the proved bound. Less is better. */
  value: number;
  /** No plan of so many migrations has fewer points. */
  bound: number;
  /** Whether it became the plan of the run. */
  chosen: boolean;
}

/** Findings so far of a search that runs. */
export interface SearchStatus {
  /** A caller has requested the best result so far. */
  isFinishing: boolean;
  /**
   * State of the best plan: its points (100 today, 0 the bound), the fewest points possible for its size, its
   * migrations. Null until known.
   */
  value: number | null;
  bound: number | null;
  moves: number | null;
  /** Units of work done, and units in total, of all starts that have reported. */
  work: number;
  budget: number;
  starts: number;
}

/** Circumstances of a run of an audit: considered, blocked and measured. Kept with the audit. */
export interface AuditReport {
  strategy: string;
  hosts: { considered: number; eligible: number };
  instances: { considered: number; eligible: number };
  /** Of block storage. Only of strategies that check it. */
  pools?: { considered: number; eligible: number };
  volumes?: { considered: number; eligible: number };
  blocked: BlockedCount[];
  metrics: MetricUse[];
  /** Age of the model when the run started, in seconds. */
  modelAgeSeconds: number;
  modelComplete: boolean;
  /** Why the plan has no action. Null when it has some. */
  emptyBecause: string | null;
  notes: string[];
  /** Aims before and after the plan. Only of strategies that search. */
  objective?: ObjectiveTerm[];
  /** Part of the possible gain that the plan leaves on the level of the aim, 0 to 1. Null without a bound. */
  gap?: number | null;
  /** Gains of plans of several sizes, the smallest first. Only of strategies that search. */
  curve?: CurvePoint[];
  /** Only of strategies that search. */
  search?: SearchReport;
  /** Phase in which the run failed. Absent when it did not. */
  failedIn?: 'strategy' | 'planner';
  /** Wall time of each phase in milliseconds, such as `model`, `metrics`, `strategy`, `planner`. */
  timingsMs: Record<string, number>;
}
