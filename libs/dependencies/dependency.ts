/** One server of a service that processes depend on. */
export interface DependencyNode {
  /** Address without user and password, for reports and metrics. */
  node: string;
  /** Really uses the service. Rejects with the reason when it cannot be used. The signal fires at the time limit. */
  probe(signal: AbortSignal): Promise<void>;
}

/** A service that processes depend on. It is up while at least one of its nodes works. */
export interface Dependency {
  /** Such as `postgresql`. */
  name: string;
  /** Whether the gate is closed while it is down. The others are only reported. */
  required: boolean;
  /**
   * Whether a process ends at its start when this one refuses it permanently, such as for a wrong password.
   * Default false.
   */
  mustFit?: boolean;
  /** Limit of one probe of one node in milliseconds. */
  timeoutMs: number;
  nodes: readonly DependencyNode[];
}

/** Result of probing one node. */
export interface NodeReport {
  node: string;
  up: boolean;
  /** Whether it serves reads, even if it takes no changes. */
  readable: boolean;
  /** Why it is not up. Null when it is. */
  reason: string | null;
  durationMs: number;
}

/** Known state of one dependency. */
export interface DependencyReport {
  name: string;
  required: boolean;
  up: boolean;
  nodes: NodeReport[];
}

/** Whether a process can work, and the missing dependencies. */
export interface GateReport {
  open: boolean;
  /** Time of the last probe, ISO 8601. */
  at: string;
  dependencies: DependencyReport[];
}
