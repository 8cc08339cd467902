import { dataOf } from '#libs/client';
import type { TestStack } from '../system/test-stack.ts';

/** Makes an audit template and a placement rule, for what is shown of them. */
export async function makeTemplateAndRule({ client }: TestStack): Promise<void> {
  const body = { name: 'list example', goal: 'workload_balancing', strategy: 'workload_stabilization' };
  await dataOf(client.api.POST('/v1/audit_templates', { body: body as never }));
  const rule = {
    name: 'list example',
    kind: 'avoid_hosts',
    instances: { names: ['*'] },
    hosts: { names: ['none-such'] },
  };
  await client.internal('POST', '/placement-rules', rule);
}

/** Makes an audit, and executes its plan to the end. */
export async function runPlan({ client, control }: TestStack): Promise<void> {
  const strategy = { goal: 'workload_balancing', strategy: 'workload_stabilization' };
  const parameters = { thresholds: { instance_cpu_usage: 0.02 } };
  const body = { name: 'list example', audit_type: 'ONESHOT', ...strategy, parameters, auto_trigger: true };
  const { uuid } = await dataOf(client.api.POST('/v1/audits', { body: body as never }));
  await client.waitForAudit(uuid, { pollMs: 200, timeoutMs: 120_000 });
  await control('/speed', { speed: 1000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: uuid } });
  const { state } = await client.waitForActionPlan(plan?.uuid ?? '', { pollMs: 200, timeoutMs: 120_000 });
  if (state !== 'SUCCEEDED') throw new Error(`the plan has ended as ${state}`);
}
