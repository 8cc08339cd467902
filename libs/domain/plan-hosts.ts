/** Resources that instances use on a host. */
export interface HostResources {
  /** Shared CPUs, as Placement counts them (VCPU). */
  vcpus: number;
  /** CPUs of instances with dedicated ones (PCPU). */
  dedicatedCpus: number;
  /** MiB. */
  memory: number;
  /** GiB. */
  disk: number;
}

/** Allocations of a host at one time. */
export interface HostUse extends HostResources {
  instances: number;
  /** Whether its compute service is enabled. */
  enabled: boolean;
  /**
   * Measured CPU load in percent of all CPUs of the host. After a plan it includes the loads of the instances that
   * move. Absent where it was not measured.
   */
  cpuLoad?: number;
}

/** A host before an action plan and after its last action. */
export interface HostBeforeAfter {
  hostname: string;
  /** Capacity with ratios and reserves. */
  capacity: HostResources;
  before: HostUse;
  after: HostUse;
  /** Migrations to it and from it. */
  instancesIn: number;
  instancesOut: number;
}

/** Quantities of hosts that plans change: measured CPU load, and allocated memory, vCPUs and disk. */
export const hostQuantities = ['cpu_load', 'memory', 'vcpus', 'disk'] as const;
export type HostQuantity = (typeof hostQuantities)[number];

/** A quantity over all enabled hosts before and after a plan. All numbers are percent of the capacity of a host. */
export interface QuantityChange {
  quantity: HostQuantity;
  /** Population standard deviation over the hosts. */
  deviation: { before: number; after: number };
  /** Highest share of any host before the plan. */
  highestBefore: number;
  /** The host with the highest share after the plan. */
  fullest: { hostname: string; before: number; after: number };
}

/** A failure domain, such as `zone az1`, that loses or gains the capacity for the instances of one failed host. */
export interface ReserveChange {
  domain: string;
  change: 'lost' | 'gained';
}

/** The hosts of an action plan at the time of its creation. */
export interface PlanHosts {
  /** Time of the compute model, ISO 8601. */
  modelTakenAt: string;
  /** By host name. */
  hosts: HostBeforeAfter[];
  /** Sum of the instances that leave their host and whose destination Nova chooses. */
  unplaced: HostResources & { instances: number };
  /** Each instance that moves, by uuid: its resources and its host. */
  moved: Record<string, HostResources & { host: string | null }>;
  /** Quantities of all hosts before and after. Absent in plans of earlier releases. */
  quantities?: QuantityChange[];
  /** Failure domains that lose or gain the reserve for the failure of one host. Absent in plans of earlier releases. */
  reserve?: ReserveChange[];
  /**
   * Estimated seconds of the plan, 10th to 90th percentile. Absent in plans of earlier releases and in rollback plans.
   */
  duration?: { low: number; high: number };
  /** GiB of each volume that moves or changes its type, by uuid. Absent where the plan was made without volumes. */
  volumes?: Record<string, number>;
}
