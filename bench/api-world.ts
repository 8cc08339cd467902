import { randomUUID } from 'node:crypto';
import { silentLogger } from '#libs/domain';
import { createStore, upgradeSchema } from '#libs/store';

const auditCount = 1000;
const planCount = 1000;
const actionsPerPlan = 10;

/** A uuid of each kind, for single requests. */
export interface ApiWorld {
  audit: string;
  actionPlan: string;
  action: string;
}

/** Migrates the database and fills it with 1,000 audits, each with a plan, of ten actions each. */
export async function fillApiWorld(databaseUrl: string): Promise<ApiWorld> {
  await upgradeSchema(databaseUrl, { logger: silentLogger });
  const store = await createStore({ url: databaseUrl, logger: silentLogger });
  try {
    return await store.transaction(async (db) => {
      const goal = await db.goals.insert({
        uuid: randomUUID(),
        name: 'workload_balancing',
        displayName: 'Workload Balancing',
        efficacySpecification: [],
      });
      const strategy = await db.strategies.insert({
        uuid: randomUUID(),
        name: 'workload_stabilization',
        displayName: 'Workload stabilization',
        goalId: goal.id,
        parametersSpec: {},
      });
      const audits = Array.from({ length: auditCount }, (_, place) => ({
        uuid: randomUUID(),
        name: `workload_stabilization-${place}`,
        auditType: 'ONESHOT' as const,
        goalId: goal.id,
        strategyId: strategy.id,
        parameters: { thresholds: { instance_cpu_usage: 0.2 }, retry_count: 1, periods: { instance: 720 } },
        state: 'SUCCEEDED' as const,
      }));
      await db.audits.insertMany(audits);
      const auditRows = await db.audits.list();
      const plans = auditRows.slice(0, planCount).map((audit) => ({
        uuid: randomUUID(),
        auditId: audit.id,
        strategyId: strategy.id,
        globalEfficacy: [{ name: 'released_nodes_ratio', description: 'Ratio', unit: '%', value: 12.5 }],
      }));
      await db.actionPlans.insertMany(plans);
      const planRows = await db.actionPlans.list();
      const indicators = planRows.map((plan) => ({
        uuid: randomUUID(),
        actionPlanId: plan.id,
        name: 'instance_migrations_count',
        description: 'The number of VM migrations to be performed.',
        unit: null,
        value: actionsPerPlan,
      }));
      await db.efficacyIndicators.insertMany(indicators as never);
      const actions = planRows.flatMap((plan) =>
        Array.from({ length: actionsPerPlan }, (_, place) => ({
          uuid: randomUUID(),
          actionPlanId: plan.id,
          actionType: 'migrate',
          inputParameters: {
            migration_type: 'live',
            source_node: `compute-${place}`,
            destination_node: `compute-${place + 1}`,
            resource_id: randomUUID(),
            resource_name: `server-${place}`,
          },
        })),
      );
      await db.actions.insertMany(actions);
      const [audit, plan, action] = [audits, plans, actions].map((rows) => rows[rows.length >> 1]?.uuid ?? '');
      return { audit: audit ?? '', actionPlan: plan ?? '', action: action ?? '' };
    });
  } finally {
    await store.close();
  }
}
