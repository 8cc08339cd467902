import {
  type ActionPlan,
  type ActionPlanEvent,
  type ActionPlanState,
  actionPlanStateTable,
  moveOf,
} from '#libs/domain';
import type { ActionPlanDefaults, ActionPlanView, UnitOfWork } from '../contract.ts';
import { actionPlanView } from '../reading/views.ts';
import type { Session } from '../session/session.ts';
import { createLeasedRepository } from './leased-repository.ts';
import { leaseEffects } from './life-cycle.ts';
import { createStatefulRepository } from './stateful-repository.ts';

/** Action plans. `start` raises `launch_seq` by one unless the caller sets it. */
export function createActionPlanRepository(session: Session): UnitOfWork['actionPlans'] {
  return {
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
      hasLaunchSeq: true,
    }),
  };
}
