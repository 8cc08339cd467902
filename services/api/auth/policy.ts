import type { FastifyRequest } from 'fastify';
import { ApiFault } from '../http/fault.ts';
import type { CallerIdentity } from './caller-identity.ts';

/** Decides whether a caller may perform the operation that a rule names, such as `audit:create`. */
export interface Policy {
  allows(rule: string, caller: CallerIdentity): boolean;
}

const adminRoles = ['admin', 'administrator'];
/** Rules that a service user may use as well. */
const serviceRules = new Set(['webhook:trigger']);

/** Watcher's defaults: every operation is for administrators; webhooks also for the role `service`. */
export function createDefaultPolicy(): Policy {
  return {
    allows(rule, caller) {
      const roles = caller.roles.map((role) => role.toLowerCase());
      if (adminRoles.some((role) => roles.includes(role))) return true;
      return serviceRules.has(rule) && roles.includes('service');
    },
  };
}

/** @throws ApiFault 403 in Watcher's words when `rule` does not allow the caller. */
export function authorize(policy: Policy, request: FastifyRequest, rule: string): void {
  if (!policy.allows(rule, request.caller)) {
    throw new ApiFault(403, `Policy doesn't allow ${rule} to be performed.`);
  }
}
