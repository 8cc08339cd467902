import { dataOf } from '#libs/client';
import type { TestStack } from './test-stack.ts';

export interface SimulatorState {
  cpu_spread: { stddev: number };
  hosts: { name: string; cpu_percent: number; servers: number }[];
}

export interface LoggedRequest {
  method: string;
  path: string;
  status: number;
  requestId: string;
}

/** A small simulated cloud with uneven load. */
export const smallWorld = ['--generate', 'hosts=6,instances=48,seed=7,skew=3'];

/**
 * Time stands still in this cloud until `letPass`: every window of the history shows one load, and no server arrives.
 */
export const standing = [...smallWorld, '--speed', '0'];
/** Sets how many simulated seconds pass in a second. */
export const letPass = ({ control }: TestStack, speed: number) => control('/speed', { speed });
/** Periods of an audit that reads the whole history of a small world, in seconds. */
export const wholeHistory = { instance: 600, compute_node: 600 };

/** Runs a ONESHOT audit without auto trigger to its end. */
export async function runAudit({ client }: TestStack, strategy: string, parameters: object) {
  const { name: goal } = await client.get('goals', (await client.get('strategies', strategy)).goal_name!);
  const created = await dataOf(
    client.api.POST('/v1/audits', {
      body: { goal, strategy, audit_type: 'ONESHOT', parameters, auto_trigger: false, force: false } as never,
    }),
  );
  const audit = await client.waitForAudit(created.uuid, { pollMs: 100, timeoutMs: 120_000 });
  const [plan] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  return { audit, plan: plan! };
}

/** Starts a plan and waits for its end. */
export async function execute({ client }: TestStack, planUuid: string) {
  await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: planUuid } }, body: {} });
  const plan = await client.waitForActionPlan(planUuid, { pollMs: 200, timeoutMs: 120_000 });
  return { plan, actions: await client.list('actions', { filters: { action_plan_uuid: planUuid } }) };
}

/** Requests for an action on a server that the simulator has logged, with their number. */
export async function countMigrations({ control }: TestStack): Promise<Map<string, number>> {
  const { requests } = await control<{ requests: LoggedRequest[] }>('/requests');
  const counts = new Map<string, number>();
  for (const { method, path } of requests.filter(
    (request) => request.method === 'POST' && request.path.endsWith('/action'),
  ))
    counts.set(`${method} ${path}`, (counts.get(`${method} ${path}`) ?? 0) + 1);
  return counts;
}
