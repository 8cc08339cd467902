import { type Action, type ActionPlan, type Audit, createVigilClient, dataOf, type VigilClient } from '#libs/client';
import { migratingActionTypes, OperatorError } from '#libs/domain';
import { systemClock } from '#libs/service-kit';
import { averageSpread, type CloudSpread, readSpread } from './cloud-spread.ts';
import type { Narrator } from './narrator.ts';
import type { DemoStack } from './stack.ts';

/** The result, as the last line of `--json` shows it. */
export interface DemoResult {
  audit: string;
  action_plan: string;
  actions: number;
  failed: number;
  /** Indicators that the plan promised. */
  predicted: Record<string, number>;
  /** The same indicators, measured after the plan ended. */
  achieved: Record<string, number>;
  /** Population standard deviation of the hosts' CPU load, in percent points, before the audit and after the plan. */
  std_dev_before: number;
  std_dev_after: number;
  seconds: number;
}

/** Window of the metrics in seconds: long enough for a mean, short enough to show recent load. */
const metricsWindowSeconds = 10;
/** Build-up ends at this spread (percent points), or after the time limit. */
const wantedSpread = 12;
const longestBuildUpSeconds = 45;
const reads = 6;
const shownActions = 12;
/** Time limits of the audit and of the plan. On a busy host they take minutes. */
const timeLimitMs = 600_000;

/** Runs one loop: load, audit, plan, execution, comparison. */
export async function runLoop(stack: DemoStack, narrator: Narrator): Promise<DemoResult> {
  const begin = performance.now();
  const client = createVigilClient({ url: stack.apiUrl, credentials: adminOf(stack) });
  await waitForLoad(stack, narrator);
  const before = await averageSpread(stack.cloudUrl, reads);
  const audit = await runAudit(client, narrator);
  const { plan, actions } = await showPlan(client, audit, narrator);
  const ended = await execute(client, plan, actions, narrator);
  const after = await averageSpread(stack.cloudUrl, reads);
  const result = compare({ audit, plan, ended, before, after, seconds: (performance.now() - begin) / 1000 });
  showResult(result, { before, after }, narrator);
  return result;
}

function adminOf(stack: DemoStack) {
  const domain = { name: 'Default' };
  return {
    kind: 'password',
    authUrl: `${stack.cloudUrl}/identity`,
    userName: 'admin',
    password: stack.password,
    userDomain: domain,
    projectName: 'admin',
    projectDomain: domain,
  } as const;
}

async function waitForLoad({ cloudUrl }: DemoStack, narrator: Narrator): Promise<void> {
  narrator.say('\n1. Load builds up in the simulated cloud');
  const bar = narrator.bar('   spread of CPU load across hosts (percent points)', wantedSpread);
  const until = performance.now() + longestBuildUpSeconds * 1000;
  // The metrics need a full window of the current load.
  const earliest = performance.now() + metricsWindowSeconds * 1000;
  for (;;) {
    const { stddev } = await readSpread(cloudUrl);
    bar.update(Math.min(wantedSpread, Math.round(stddev)), '');
    const now = performance.now();
    if ((stddev >= wantedSpread && now > earliest) || now > until) break;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  bar.stop();
}

async function runAudit(client: VigilClient, narrator: Narrator): Promise<Audit> {
  narrator.say('\n2. An audit searches for a better balance');
  const name = `demo-${systemClock.now().toString(36)}`;
  const template = await dataOf(
    client.api.POST('/v1/audit_templates', {
      body: {
        name,
        goal: 'workload_balancing',
        strategy: 'workload_stabilization',
        description: 'Spread the CPU load',
      },
    }),
  );
  const created = await dataOf(
    client.api.POST('/v1/audits', {
      body: {
        name,
        audit_type: 'ONESHOT',
        audit_template_uuid: template.uuid,
        auto_trigger: false,
        force: false,
        parameters: {
          thresholds: { instance_cpu_usage: 0.03 },
          periods: { instance: metricsWindowSeconds, compute_node: metricsWindowSeconds },
        },
      },
    }),
  );
  const audit = await client.waitForAudit(created.uuid, { pollMs: 200, timeoutMs: timeLimitMs });
  narrator.say(`   audit ${audit.name}: ${audit.state} ${audit.status_message ?? ''}`);
  if (audit.state !== 'SUCCEEDED')
    throw new OperatorError(`the audit ended as ${audit.state}: ${audit.status_message}`);
  return audit;
}

async function showPlan(
  client: VigilClient,
  audit: Audit,
  narrator: Narrator,
): Promise<{ plan: ActionPlan; actions: Action[] }> {
  const [listed] = await client.list('action_plans', { filters: { audit_uuid: audit.uuid } });
  if (!listed) throw new OperatorError(`the audit ${audit.uuid} left no action plan`);
  const plan = await client.get('action_plans', listed.uuid);
  const actions = await client.list('actions', { filters: { action_plan_uuid: plan.uuid } });
  narrator.say(`\n3. The plan: ${actions.length} actions, and why`);
  const rows: (string | number)[][] = [];
  for (const action of actions.slice(0, shownActions)) {
    const { reason } = await dataOf(
      client.api.GET('/v1/actions/{ident}/reason', { params: { path: { ident: action.uuid } } }),
    );
    rows.push([action.action_type, String(reason?.summary ?? '')]);
  }
  narrator.table(['action', 'reason'], rows);
  if (actions.length > shownActions) narrator.say(`   … and ${actions.length - shownActions} more`);
  return { plan, actions };
}

async function execute(
  client: VigilClient,
  plan: ActionPlan,
  actions: Action[],
  narrator: Narrator,
): Promise<{ plan: ActionPlan; actions: Action[] }> {
  narrator.say('\n4. The plan is executed');
  if (plan.state === 'RECOMMENDED')
    await client.api.POST('/v1/action_plans/{ident}/start', { params: { path: { ident: plan.uuid } }, body: {} });
  const bar = narrator.bar('   actions', Math.max(1, actions.length));
  let newest = actions;
  const ended = await client.waitForActionPlan(plan.uuid, {
    pollMs: 300,
    timeoutMs: timeLimitMs,
    onProgress(progress) {
      newest = progress.actions;
      const ongoing = progress.actions.filter(({ state }) => state === 'ONGOING').length;
      bar.update(progress.ended, `${ongoing} running, ${progress.failed} failed`);
    },
  });
  bar.stop();
  return { plan: ended, actions: newest };
}

function compare(parts: {
  audit: Audit;
  plan: ActionPlan;
  ended: { plan: ActionPlan; actions: Action[] };
  before: CloudSpread;
  after: CloudSpread;
  seconds: number;
}): DemoResult {
  const { audit, plan, ended, before, after } = parts;
  const done = ended.actions.filter(({ state }) => state === 'SUCCEEDED');
  const predicted = Object.fromEntries(plan.efficacy_indicators.map(({ name, value }) => [name, round(value ?? 0)]));
  return {
    audit: audit.state,
    action_plan: ended.plan.state,
    actions: ended.actions.length,
    failed: ended.actions.filter(({ state }) => state === 'FAILED').length,
    predicted,
    achieved: {
      instance_migrations_count: done.filter(({ action_type }) => migratingActionTypes.includes(action_type)).length,
      instances_count: predicted.instances_count ?? 0,
      // The indicators count load as a fraction of the host, the spread in percent points.
      standard_deviation_before_audit: round(before.stddev / 100),
      standard_deviation_after_audit: round(after.stddev / 100),
    },
    std_dev_before: round(before.stddev),
    std_dev_after: round(after.stddev),
    seconds: Math.round(parts.seconds * 10) / 10,
  };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

function showResult(
  result: DemoResult,
  { before, after }: { before: CloudSpread; after: CloudSpread },
  narrator: Narrator,
): void {
  narrator.say('\n5. Before and after');
  narrator.hosts(before, after);
  const percent = (value: number) => `${value.toFixed(1)} %`;
  narrator.table(
    ['', 'before', 'after'],
    [
      ['spread (standard deviation)', percent(result.std_dev_before), percent(result.std_dev_after)],
      ['busiest host', percent(before.max), percent(after.max)],
      ['idlest host', percent(before.min), percent(after.min)],
    ],
  );
  const names = Object.keys(result.predicted);
  narrator.table(
    ['efficacy', 'predicted', 'achieved'],
    names.map((name) => [name, result.predicted[name] ?? '', result.achieved[name] ?? '']),
  );
  narrator.say(
    `   plan ${result.action_plan}: ${result.actions} actions, ${result.failed} failed, ${result.seconds} s in all`,
  );
}
