import type { BaremetalNode } from '#libs/openstack';

/** A machine that Ironic manages. */
export interface BaremetalNodeInfo {
  uuid: string;
  /** Empty when it has none. */
  name: string;
  /** `unknown` while it changes, or when Ironic does not report it. */
  power: 'on' | 'off' | 'unknown';
  /** The state from Ironic, such as `power on` or `rebooting`. */
  powerState: string | null;
  maintenance: boolean;
  maintenanceReason: string | null;
  /** Uuid of the hypervisor that runs on it. Null without a known one. */
  computeNodeUuid: string | null;
}

/** A frozen model of the machines below a cloud. Plain data. */
export interface BaremetalSnapshot {
  /** By uuid. */
  nodes: BaremetalNodeInfo[];
  /** Time of the model, milliseconds since 1970. */
  takenAtMs: number;
  complete: boolean;
  gaps: string[];
}

/** Responses of Ironic. */
export interface BaremetalModelInput {
  nodes: BaremetalNode[];
  takenAtMs: number;
  gaps?: string[];
}

function powerOf({ powerState, targetPowerState }: BaremetalNode): BaremetalNodeInfo['power'] {
  if (targetPowerState !== null && targetPowerState !== powerState) return 'unknown';
  if (powerState === 'power on') return 'on';
  return powerState === 'power off' ? 'off' : 'unknown';
}

/** Builds the model of the machines from the responses of Ironic. Pure. */
export function buildBaremetalSnapshot({ nodes, takenAtMs, gaps = [] }: BaremetalModelInput): BaremetalSnapshot {
  return {
    nodes: nodes
      .map((node) => ({
        uuid: node.uuid,
        name: node.name ?? '',
        power: powerOf(node),
        powerState: node.powerState,
        maintenance: node.maintenance,
        maintenanceReason: node.maintenanceReason,
        computeNodeUuid: node.computeNodeId,
      }))
      .sort((a, b) => (a.uuid < b.uuid ? -1 : 1)),
    takenAtMs,
    complete: gaps.length === 0,
    gaps,
  };
}
