import { type ApprovalEvent, approvalStateTable, moveOf, NotFoundError, StateConflictError } from '#libs/domain';
import { isUuid } from '../reading/filters.ts';
import { viewQuery } from '../reading/view-query.ts';
import { actionPlanView } from '../reading/views.ts';
import type { Session } from '../session/session.ts';
import type { ActionPlanView, PlanApprovals } from '../types.ts';

/** Approvals of plans in the database. Times are the database's. */
export function createPlanApprovals(session: Session): PlanApprovals {
  return {
    wantApproval: (uuid, reason) =>
      session.write(async (manager) => {
        const [, count] = await manager.query<[unknown[], number]>(
          `UPDATE action_plans SET approval = $2, approval_reason = $3, approval_at = now()
           WHERE uuid = $1 AND deleted = 0 AND state = 'RECOMMENDED' AND approval IS NULL`,
          [uuid, approvalStateTable.initial, reason],
        );
        return count > 0;
      }),

    decideApproval: (uuid, event, { by = null, comment = null, voidBecause = null }) =>
      session.write(async (manager) => {
        if (!isUuid(uuid)) throw new NotFoundError('ActionPlan', uuid);
        const { from, to } = moveOf(approvalStateTable, event);
        const [rows] = await manager.query<[{ id: number }[], number]>(
          `UPDATE action_plans SET approval = $2, approval_by = $3, approval_at = now(), approval_comment = $4,
             approval_void = $5
           WHERE uuid = $1 AND deleted = 0 AND state = 'RECOMMENDED' AND approval = ANY ($6::text[]) RETURNING id`,
          [uuid, to, by === null ? null : JSON.stringify(by), comment, voidBecause, from],
        );
        const query = viewQuery(manager, actionPlanView, session.statements);
        if (rows[0] !== undefined) return query.byId(rows[0].id);
        throw refusalOf(uuid, event, await query.byIdent(uuid, false));
      }),
  };
}

/** Why a decision had no effect. */
function refusalOf(uuid: string, event: ApprovalEvent, plan: ActionPlanView | null): Error {
  if (plan === null) return new NotFoundError('ActionPlan', uuid);
  const found = plan.state === 'RECOMMENDED' ? (plan.approval ?? 'not wanted') : plan.state;
  return new StateConflictError('Approval', uuid, found, event);
}
