import type { PlanHosts } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** Hosts before and after plans. The first stored value stays. */
export function createPlanHosts(session: Session): PlanHostsRepository {
  return {
    insert: (actionPlanId, hosts) =>
      session.write(async (manager) => {
        await manager.query('INSERT INTO plan_hosts (plan_id, doc) VALUES ($1, $2) ON CONFLICT (plan_id) DO NOTHING', [
          actionPlanId,
          JSON.stringify(hosts),
        ]);
      }),

    find: (actionPlanId) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ doc: PlanHosts }[]>('SELECT doc FROM plan_hosts WHERE plan_id = $1', [
          actionPlanId,
        ]);
        return rows[0]?.doc ?? null;
      }),
  };
}

/** Hosts before and after plans, at the creation of each plan. */
export interface PlanHostsRepository {
  /** Only the first call for a plan stores anything. */
  insert(actionPlanId: number, hosts: PlanHosts): Promise<void>;
  /** Null for a plan without stored hosts. */
  find(actionPlanId: number): Promise<PlanHosts | null>;
}
