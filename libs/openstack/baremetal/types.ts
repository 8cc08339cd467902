import type { CloudCallOptions } from '../call-options.ts';

/** Power states that can be requested from Ironic. */
export type PowerTarget = 'power on' | 'power off';

/** A node of Ironic. */
export interface BaremetalNode {
  uuid: string;
  name: string | null;
  /** Such as `power on`, `power off`, `rebooting`. Null when Ironic does not know it. */
  powerState: string | null;
  /** The target of a change in progress. Null when there is none. */
  targetPowerState: string | null;
  provisionState: string | null;
  maintenance: boolean;
  maintenanceReason: string | null;
  /** The error of the last change. Null when it succeeded. */
  lastError: string | null;
  /**
   * Last time that Ironic started to change the power, as Ironic wrote it. Null when it never did, when Ironic does not
   * report
   * it, and for nodes of a list.
   */
  powerChangedAt: string | null;
  /** `extra.compute_node_id`: uuid of the hypervisor that runs on the node. */
  computeNodeId: string | null;
  extra: Record<string, string>;
}

/** Ironic. */
export interface BaremetalPort {
  listNodes(options?: CloudCallOptions): Promise<BaremetalNode[]>;
  /** By uuid or name. Null on Ironic's 404. */
  getNode(id: string, options?: CloudCallOptions): Promise<BaremetalNode | null>;
  /** Requests a change, which takes its time. Refused with 409 while something else has the node locked. */
  setPowerState(id: string, target: PowerTarget, options?: CloudCallOptions): Promise<void>;
}
