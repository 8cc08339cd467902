import type { FastifyRequest } from 'fastify';
import type { Audit, AuditEvent } from '#libs/domain';
import type { UnitOfWork } from '#libs/store';
import { authorize, type Policy } from '../../../auth/policy.ts';

type AutoTriggerFields = Pick<Audit, 'autoTriggerUser' | 'autoTriggerRefused'>;

/**
 * Checks that the caller may start plans, since an audit with `auto_trigger` starts them in the caller's name.
 * @returns the columns that keep the caller, for the check when a plan starts
 * @throws ApiFault 403 when `action_plan:start` does not allow the caller.
 */
export function authorizeAutoTrigger(policy: Policy, request: FastifyRequest): AutoTriggerFields {
  authorize(policy, request, 'action_plan:start');
  const { userId, userName, projectId, projectName, domainId, systemScope, roles } = request.caller;
  return {
    autoTriggerUser: { userId, userName, projectId, projectName, domainId, systemScope, roles },
    autoTriggerRefused: false,
  };
}

/** Whether a change of an audit influences its plans. A name does not, nor does the end of its runs. */
export function influencesPlans(changes: object, events: readonly AuditEvent[]): boolean {
  return Object.keys(changes).some((name) => name !== 'name') || events.includes('resume');
}

/** Waits for other changes of the user that set `auto_trigger` of this audit, until the transaction ends. */
export async function lockAutoTrigger(unit: Pick<UnitOfWork, 'lock'>, auditUuid: string): Promise<void> {
  await unit.lock(`auto-trigger:${auditUuid}`);
}
