import type { AuditVariants, PlanObjective } from '#libs/domain';
import type { Session } from '../session/session.ts';

/** The objectives of plans, at the creation of each plan. */
export interface PlanObjectives {
  /** Only the first call for a plan stores anything. */
  insert(actionPlanId: number, objective: PlanObjective): Promise<void>;
  /** Null for a plan whose strategy stated no objective. */
  find(actionPlanId: number): Promise<PlanObjective | null>;
  /** Those of these plans that are points of a curve, with the budget of migrations of their point. */
  onCurve(actionPlanIds: readonly number[]): Promise<{ actionPlanId: number; budget: number }[]>;
}

/** Plans of other sizes that the last run of an audit found. */
export interface AuditVariantsRepository {
  /** Replaces the plans of the previous run. Null: no plans. */
  replace(auditId: number, variants: AuditVariants | null): Promise<void>;
  find(auditId: number): Promise<AuditVariants | null>;
}

/** The objectives of plans. Only the first call for a plan stores anything. */
export function createPlanObjectives(session: Session): PlanObjectives {
  return {
    insert: (actionPlanId, objective) =>
      session.write(async (manager) => {
        await manager.query(
          'INSERT INTO plan_objectives (plan_id, doc) VALUES ($1, $2) ON CONFLICT (plan_id) DO NOTHING',
          [actionPlanId, JSON.stringify(objective)],
        );
      }),

    find: (actionPlanId) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ doc: PlanObjective }[]>(
          'SELECT doc FROM plan_objectives WHERE plan_id = $1',
          [actionPlanId],
        );
        return rows[0]?.doc ?? null;
      }),

    onCurve: (actionPlanIds) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ id: string; budget: number }[]>(
          `SELECT plan_id AS id, (doc ->> 'budget')::int AS budget FROM plan_objectives
           WHERE plan_id = ANY($1::bigint[]) AND jsonb_typeof(doc -> 'budget') = 'number'`,
          [actionPlanIds],
        );
        return rows.map(({ id, budget }) => ({ actionPlanId: Number(id), budget }));
      }),
  };
}

/** Plans of other sizes, by audit. */
export function createAuditVariants(session: Session): AuditVariantsRepository {
  return {
    replace: (auditId, variants) =>
      session.write(async (manager) => {
        if (variants === null) {
          await manager.query('DELETE FROM audit_variants WHERE audit_id = $1', [auditId]);
          return;
        }
        await manager.query(
          `INSERT INTO audit_variants (audit_id, doc) VALUES ($1, $2)
           ON CONFLICT (audit_id) DO UPDATE SET doc = EXCLUDED.doc`,
          [auditId, JSON.stringify(variants)],
        );
      }),

    find: (auditId) =>
      session.read(async (manager) => {
        const rows = await manager.query<{ doc: AuditVariants }[]>(
          'SELECT doc FROM audit_variants WHERE audit_id = $1',
          [auditId],
        );
        return rows[0]?.doc ?? null;
      }),
  };
}
