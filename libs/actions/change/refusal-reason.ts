import type { RefusalReason } from '#libs/domain';
import type { OpenStackError } from '#libs/openstack';

/** Statuses with which Nova and Cinder refuse a request that they understood. */
const refusing: ReadonlySet<number> = new Set([400, 403, 409]);

const noValidHost = /no valid (host|backend|back-end) was found/i;

/** Texts of Nova and Cinder by the kind of reason. The first match wins. */
const words: readonly [RegExp, RefusalReason][] = [
  [noValidHost, 'no_valid_host'],
  [/policy doesn't allow|disallowed by policy/i, 'policy'],
  [/quota/i, 'quota'],
  [/is locked/i, 'locked'],
  [/\bshares\b/i, 'share'],
  [/\bports?\b|\bvdpa\b|\bvnic\b|\binterface\b/i, 'port'],
  [/accelerator|\bvtpm\b|\bsev\b|\bpci\b|\bmdevs?\b|\bvgpus?\b|\bdevices?\b/i, 'device'],
  [/_state\b|in this state|while it is in|status must be|is not ready/i, 'state'],
  [/(service|host) .*(is unavailable|could not be found|is down|is disabled)/i, 'host_down'],
  [/hypervisor|cpu info|pre-check|storage|to the host|same host|current host|target host|destination/i, 'destination'],
];

/**
 * Kind of the reason why a service refused a request. Null for other errors, such as an outage or a missing resource.
 */
export function refusalReason({ status, message }: Pick<OpenStackError, 'status' | 'message'>): RefusalReason | null {
  if (!refusing.has(status)) return null;
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? 'other';
}

/**
 * Kind of the reason in the fault of a move that was accepted and then failed. Only a refusal of the scheduler has
 * one. Other faults mean that the move was tried.
 */
export function faultReason(fault: string): RefusalReason | null {
  return noValidHost.test(fault) ? 'no_valid_host' : null;
}
