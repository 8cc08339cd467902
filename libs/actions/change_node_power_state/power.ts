import type { BaremetalNode, PowerTarget } from '#libs/openstack';

/** The states that can be requested. */
export type Power = 'on' | 'off';

/** Ironic's target for each requested state. */
export const powerTargets: Readonly<Record<Power, PowerTarget>> = { on: 'power on', off: 'power off' };

const powerOf: Readonly<Record<string, Power>> = {
  'power on': 'on',
  rebooting: 'on',
  'soft reboot': 'on',
  'power off': 'off',
  'soft power off': 'off',
};

/** Meaning of Ironic's power states. Undefined for ambiguous states. */
function meaningOf(state: string | null): Power | undefined {
  return state === null ? undefined : powerOf[state];
}

/** Whether the node has the state and no change is pending. */
export function isIn(node: BaremetalNode, power: Power): boolean {
  const isChanging = node.targetPowerState !== null && meaningOf(node.targetPowerState) !== power;
  return meaningOf(node.powerState) === power && !isChanging;
}

/** Whether the node is changing to the state. */
export function isOnTheWay(node: BaremetalNode, power: Power): boolean {
  return !isIn(node, power) && meaningOf(node.targetPowerState) === power;
}
