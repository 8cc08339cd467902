import { EntitySchema } from 'typeorm';
import { bigint, integer, reference, text, time, timeOfInsert } from './columns.ts';

/** One claim or take-over of a plan. */
export interface PlanRunRow {
  planId: number;
  runNo: number;
  instanceId: string;
  fence: number;
  startedAt: Date;
  endedAt: Date | null;
  outcome: string | null;
}

/** Table `plan_runs`. */
export const planRunSchema = new EntitySchema<PlanRunRow>({
  name: 'PlanRun',
  tableName: 'plan_runs',
  columns: {
    planId: reference('plan_runs', 'plan_id', 'ActionPlan', {
      primary: true,
      primaryKeyConstraintName: 'pk_plan_runs',
    }),
    runNo: integer('run_no', { primary: true, primaryKeyConstraintName: 'pk_plan_runs' }),
    instanceId: text('instance_id'),
    fence: bigint('fence'),
    startedAt: timeOfInsert('started_at'),
    endedAt: time('ended_at', { nullable: true }),
    outcome: text('outcome', { nullable: true }),
  },
  indices: [{ name: 'uq_plan_runs_fence', columns: ['planId', 'fence'], unique: true }],
});
