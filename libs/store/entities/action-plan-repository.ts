import {
  type ActionPlan,
  type ActionPlanEvent,
  type ActionPlanState,
  actionPlanStateTable,
  moveOf,
} from '#libs/domain';
import { actionPlanView } from '../reading/views.ts';
import type { Session } from '../session/session.ts';
import type { ActionPlanDefaults, ActionPlanRepository, ActionPlanView } from '../types.ts';
import { createLeasedRepository } from './leased-repository.ts';
import { leaseEffects } from './life-cycle.ts';
import { createPlanApprovals } from './plan-approvals.ts';
import { createStatefulRepository } from './stateful-repository.ts';

/** Neither paused nor waiting for its maintenance window. */
const isReleased = 'NOT paused AND (hold_until IS NULL OR hold_until <= now())';

/** Action plans. `start` raises `launch_seq` by one unless the caller sets it. */
export function createActionPlanRepository(session: Session): ActionPlanRepository {
  return {
    ...createPlanApprovals(session),
    ...createStatefulRepository<ActionPlan, ActionPlanView, ActionPlanState, ActionPlanEvent, ActionPlanDefaults>(
      session,
      actionPlanView,
      {
        table: actionPlanStateTable,
        fenceGuard: 'fence = :fence',
        currentFence: 'fence',
        effects: (event, to) => ({
          ...leaseEffects(to),
          ...(event === 'start' ? { launchSeq: () => 'launch_seq + 1' } : {}),
        }),
      },
    ),
    ...createLeasedRepository(session, actionPlanView, {
      claim: moveOf(actionPlanStateTable, 'claim'),
      takeOverFrom: [
        ...moveOf(actionPlanStateTable, 'takeOver').from,
        ...moveOf(actionPlanStateTable, 'takeOverCancelling').from,
      ],
      claimable: isReleased,
      // Actions of a started plan may run in the cloud without a lease holder.
      startedFirst: true,
      pendingDue: isReleased,
      // Running actions of a previous applier are handled even while the plan is held.
      due: `(state = 'CANCELLING' OR rollback_state = 'ONGOING' OR (${isReleased}) OR EXISTS (
        SELECT 1 FROM actions WHERE actions.action_plan_id = action_plans.id AND actions.deleted = 0
          AND actions.state IN ('ONGOING', 'CANCELLING')
      ))`,
      hasLaunchSeq: true,
    }),
  };
}
