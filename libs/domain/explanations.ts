/** A quantity before and after an action or a plan, such as a host's CPU load in percent. */
export interface BeforeAfter {
  /** What was measured, such as `host_cpu_usage` or `standard_deviation`. */
  quantity: string;
  /** Whose value it is: a host name, an instance uuid, or `cluster`. */
  subject: string;
  /** Unit of both numbers, such as `%`, `MB`, `fraction`; empty for plain counts. */
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

/** Why a strategy proposes an action. `summary` is one sentence for people; the rest is the evidence. */
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
  /** At most ten names, for people to look at. */
  examples: string[];
}

/** A metric that a run asked for. `missing` counts resources without a value in the window. */
export interface MetricUse {
  metric: string;
  resourceType: 'compute_node' | 'instance';
  aggregate: string;
  periodSeconds: number;
  asked: number;
  missing: number;
  missingExamples: string[];
  /** Name of the data source that all values are from; null when none had any, absent when it is not known. */
  source?: string | null;
  /** Data sources that were asked before it, and why each did not serve; absent when there were none. */
  passedOver?: string[];
}

/** What a run of an audit considered, blocked and measured; kept with the audit. */
export interface AuditReport {
  strategy: string;
  hosts: { considered: number; eligible: number };
  instances: { considered: number; eligible: number };
  /** Of block storage; only of strategies that look at it. */
  pools?: { considered: number; eligible: number };
  volumes?: { considered: number; eligible: number };
  blocked: BlockedCount[];
  metrics: MetricUse[];
  /** Age of the model when the run began, in seconds. */
  modelAgeSeconds: number;
  modelComplete: boolean;
  /** Why the plan has no action; null when it has some. */
  emptyBecause: string | null;
  notes: string[];
  /** Phase in which the run failed; absent when it did not. */
  failedIn?: 'strategy' | 'planner';
  /** Wall time of each phase in milliseconds, such as `model`, `metrics`, `strategy`, `planner`. */
  timingsMs: Record<string, number>;
}
