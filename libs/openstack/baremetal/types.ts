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
   * Last time that Ironic started to change the power, in Ironic's format. Null for nodes of a list, without a change,
   * and when Ironic does not report it.
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
  /** Requests a change and does not wait for its end. Ironic refuses with 409 while the node is locked. */
  setPowerState(id: string, target: PowerTarget, options?: CloudCallOptions): Promise<void>;
}
