import type { Clock } from '#libs/domain';
import type { SimulatedHost, SimulatedNode } from '../cloud/entities.ts';
import { SimulatedApiError } from '../errors.ts';
import type { Timeline } from '../timeline.ts';

/** The possible power requests. */
export const powerRequests = ['power on', 'power off', 'rebooting', 'soft power off', 'soft rebooting'] as const;
export type PowerRequest = (typeof powerRequests)[number];

const leadsOff = (request: PowerRequest) => request.endsWith('power off');

export interface NodePower {
  /** Starts a change. The node is locked until its end. @throws SimulatedApiError 409 while it is locked */
  change(node: SimulatedNode, target: PowerRequest): void;
  /** Sets maintenance with a reason, or ends it with null. */
  setMaintenance(node: SimulatedNode, reason: string | null): void;
}

export interface NodePowerOptions {
  /** Simulated seconds until the power has changed. Default 15. */
  powerSeconds?: number;
  /** Simulated seconds from power on until the compute service reports. Default 60. */
  bootSeconds?: number;
}

/** Power of machines. A compute host whose machine is off is down, and its migrations fail. */
export function createNodePower(
  deps: {
    clock: Clock;
    timeline: Timeline;
    faults: { powerFailure(node: SimulatedNode): string | null };
    /** The machine of the host was switched off. */
    onOff(host: SimulatedHost): void;
    /** The compute service of the host reports again. */
    onBooted?(host: SimulatedHost): void;
  },
  options: NodePowerOptions = {},
): NodePower {
  const { clock, timeline } = deps;

  function switchOff(node: SimulatedNode): void {
    node.powerState = 'power off';
    if (node.host === null) return;
    node.host.powered = false;
    deps.onOff(node.host);
  }
  function switchOn(node: SimulatedNode): void {
    node.powerState = 'power on';
    timeline.after(options.bootSeconds ?? 60, () => {
      if (node.host === null || node.powerState !== 'power on') return;
      node.host.powered = true;
      deps.onBooted?.(node.host);
    });
  }
  function finish(node: SimulatedNode, target: PowerRequest): void {
    node.targetPowerState = null;
    node.updatedAt = clock.now();
    node.lastError = deps.faults.powerFailure(node);
    if (node.lastError !== null) return;
    if (target !== 'power on' && node.powerState === 'power on') switchOff(node);
    if (!leadsOff(target) && node.powerState === 'power off') switchOn(node);
  }

  return {
    change(node, target) {
      if (node.targetPowerState !== null) {
        const reason = 'please retry after the current operation is completed';
        throw new SimulatedApiError(409, `Node ${node.uuid} is locked by host controller, ${reason}.`);
      }
      node.targetPowerState = leadsOff(target) ? 'power off' : 'power on';
      node.lastError = null;
      node.powerChangedAt = clock.now();
      node.updatedAt = clock.now();
      timeline.after(options.powerSeconds ?? 15, () => finish(node, target));
    },
    setMaintenance(node, reason) {
      node.maintenance = reason !== null;
      node.maintenanceReason = reason;
      node.updatedAt = clock.now();
    },
  };
}
