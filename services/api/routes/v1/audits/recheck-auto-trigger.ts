import type { Logger } from '#libs/domain';
import type { Store } from '#libs/store';
import type { Policy } from '../../../auth/policy.ts';
import { lockAutoTrigger } from './auto-trigger.ts';

/**
 * Evaluates `action_plan:start` again for the users that set `auto_trigger`, and stores the result with the audits that
 * may still run. The decision engine, which has no policy, starts no plan of a refused user.
 */
export async function recheckAutoTrigger(deps: { store: Store; policy: Policy; logger: Logger }): Promise<void> {
  const { store, policy, logger } = deps;
  const audits = await store.db.audits.list({
    filters: [
      { field: 'autoTrigger', value: true },
      { field: 'state', op: 'in', value: ['PENDING', 'ONGOING', 'SUSPENDED'] },
    ],
  });
  for (const { uuid } of audits) {
    await store.transaction(async (unit) => {
      await lockAutoTrigger(unit, uuid);
      const audit = await unit.audits.find(uuid);
      if (!audit?.autoTriggerUser) return;
      const autoTriggerRefused = !policy.allows('action_plan:start', audit.autoTriggerUser);
      if (autoTriggerRefused === audit.autoTriggerRefused) return;
      await unit.audits.update(uuid, { autoTriggerRefused });
      logger.info({ auditUuid: uuid, isRefused: autoTriggerRefused }, 'policy of automatic start changed for audit');
    });
  }
}
