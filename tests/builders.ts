import { randomUUID } from 'node:crypto';
import type { Action, ActionPlan, Audit, Goal, Strategy } from '#libs/domain';
import type {
  ActionDefaults,
  ActionPlanDefaults,
  ActionPlanView,
  ActionView,
  AuditDefaults,
  AuditView,
  NewRow,
  StrategyView,
  UnitOfWork,
} from '#libs/store';

type NewGoal = NewRow<Goal>;
type NewStrategy = NewRow<Strategy>;
type NewAudit = NewRow<Audit, AuditDefaults>;
type NewActionPlan = NewRow<ActionPlan, ActionPlanDefaults>;
type NewAction = NewRow<Action, ActionDefaults>;

/** Returns the test's changes to the row that a builder inserts. */
export type Override<Row> = (row: Row) => Partial<Row>;

function build<Row extends object>(row: Row, override: Override<Row> | undefined): Row {
  return { ...row, ...override?.(row) };
}

/** Inserts a goal with a unique name and no indicators. */
export async function insertGoal(unit: UnitOfWork, override?: Override<NewGoal>): Promise<Goal> {
  const uuid = randomUUID();
  return unit.goals.insert(
    build({ uuid, name: `goal-${uuid}`, displayName: 'Goal', efficacySpecification: [] }, override),
  );
}

/** Inserts a strategy of `goal` without parameters. */
export async function insertStrategy(
  unit: UnitOfWork,
  goal: Pick<Goal, 'id'>,
  override?: Override<NewStrategy>,
): Promise<StrategyView> {
  const uuid = randomUUID();
  const row: NewStrategy = {
    uuid,
    name: `strategy-${uuid}`,
    displayName: 'Strategy',
    goalId: goal.id,
    parametersSpec: {},
  };
  return unit.strategies.insert(build(row, override));
}

/** Inserts a ONESHOT audit of the strategy's goal. PENDING by default. */
export async function insertAudit(
  unit: UnitOfWork,
  strategy: Pick<Strategy, 'id' | 'goalId'>,
  override?: Override<NewAudit>,
): Promise<AuditView> {
  const uuid = randomUUID();
  const row: NewAudit = {
    uuid,
    name: `audit-${uuid}`,
    auditType: 'ONESHOT',
    goalId: strategy.goalId,
    strategyId: strategy.id,
  };
  return unit.audits.insert(build(row, override));
}

/** Inserts an action plan of `audit`. RECOMMENDED by default. */
export async function insertActionPlan(
  unit: UnitOfWork,
  audit: Pick<Audit, 'id'>,
  strategy: Pick<Strategy, 'id'>,
  override?: Override<NewActionPlan>,
): Promise<ActionPlanView> {
  return unit.actionPlans.insert(
    build<NewActionPlan>({ uuid: randomUUID(), auditId: audit.id, strategyId: strategy.id }, override),
  );
}

/** Inserts a `nop` action of `plan`. PENDING and without parents by default. */
export async function insertAction(
  unit: UnitOfWork,
  plan: Pick<ActionPlan, 'id'>,
  override?: Override<NewAction>,
): Promise<ActionView> {
  const row: NewAction = {
    uuid: randomUUID(),
    actionPlanId: plan.id,
    actionType: 'nop',
    inputParameters: { message: 'hello' },
  };
  return unit.actions.insert(build(row, override));
}

/** A plan with all rows that it refers to. */
export interface PlanWorld {
  goal: Goal;
  strategy: StrategyView;
  audit: AuditView;
  plan: ActionPlanView;
  actions: ActionView[];
}

/** Inserts goal, strategy, a SUCCEEDED audit, a plan and its actions, each of which waits for the one before it. */
export async function insertPlanWorld(
  unit: UnitOfWork,
  options: { actions?: number; plan?: Override<NewActionPlan>; action?: Override<NewAction> } = {},
): Promise<PlanWorld> {
  const goal = await insertGoal(unit);
  const strategy = await insertStrategy(unit, goal);
  const audit = await insertAudit(unit, strategy, () => ({ state: 'SUCCEEDED' }));
  const plan = await insertActionPlan(unit, audit, strategy, options.plan);
  const actions: ActionView[] = [];
  for (let place = 0; place < (options.actions ?? 1); place += 1) {
    const parents = actions.slice(-1).map((action) => action.uuid);
    actions.push(await insertAction(unit, plan, (row) => ({ parents, ...options.action?.({ ...row, parents }) })));
  }
  return { goal, strategy, audit, plan, actions };
}
