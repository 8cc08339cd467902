import { type Action, type ActionEvent, type ActionState, actionStateTable, moveOf } from '#libs/domain';
import { isUuid } from '../reading/filters.ts';
import { actionView } from '../reading/views.ts';
import type { Session } from '../session/session.ts';
import type { ActionDefaults, ActionRepository, ActionStateCount, ActionView } from '../types.ts';
import { holdPlanFence, planFenceGuard } from './plan-fence.ts';
import { createStatefulRepository } from './stateful-repository.ts';

/** Actions. Their fencing number is the one of their plan. */
export function createActionRepository(session: Session): ActionRepository {
  const repository = createStatefulRepository<Action, ActionView, ActionState, ActionEvent, ActionDefaults>(
    session,
    actionView,
    {
      table: actionStateTable,
      fenceGuard: planFenceGuard('actions.action_plan_id', ':fence'),
      currentFence: '(SELECT plan.fence FROM action_plans AS plan WHERE plan.id = actions.action_plan_id)',
      effects: () => ({}),
    },
  );
  return {
    ...repository,

    listByPlan: (actionPlanUuid) =>
      repository.list({ filters: [{ field: 'actionPlanUuid', value: actionPlanUuid }], sortKey: 'id' }),

    countStates: (actionPlanIds) =>
      session.read((manager) =>
        manager.query<ActionStateCount[]>(
          `SELECT action_plan_id AS "actionPlanId", state, count(*) AS count FROM actions
           WHERE action_plan_id = ANY ($1::bigint[]) AND deleted = 0 GROUP BY 1, 2 ORDER BY 1, 2`,
          [actionPlanIds],
        ),
      ),

    cancelPending: (actionPlanUuid, options) =>
      session.write(async (manager) => {
        if (!isUuid(actionPlanUuid)) return 0;
        if (options.fence !== undefined) await holdPlanFence(manager, actionPlanUuid, options.fence);
        const move = moveOf(actionStateTable, 'cancel');
        const [, count] = await manager.query<[unknown[], number]>(
          `UPDATE actions SET state = $2, status_message = coalesce($3, status_message)
           WHERE action_plan_id = (SELECT id FROM action_plans WHERE uuid = $1) AND deleted = 0
             AND state = ANY($4::text[])`,
          [actionPlanUuid, move.to, options.statusMessage ?? null, move.from],
        );
        return count;
      }),
  };
}
