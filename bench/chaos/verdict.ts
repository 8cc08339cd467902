import { effectOf } from '#libs/actions';
import { actionPlanStateTable, actionStateTable, auditStateTable, isTerminal } from '#libs/domain';
import type { Server } from '#libs/openstack';
import type { ActionPlanView, ActionView, AuditView } from '#libs/store';
import type { CollectedEvents } from './event-collector.ts';
import type { LeaseSamples } from './lease-samples.ts';
import type { ChaosStack } from './stack.ts';
import { findTakeovers, type Takeover } from './takeovers.ts';

/** An entry of the simulator's request log, as far as it is looked at. */
interface LoggedRequest {
  number: number;
  method: string;
  path: string;
  body: Record<string, unknown> | null;
  globalRequestId: string | null;
  status: number | null;
}

/** What went wrong, a line each; nothing when all is well. */
export interface Verdict {
  plans: number;
  /** Those of them that undo another one. */
  rollbacks: number;
  actions: number;
  lost: string[];
  duplicated: string[];
  stuck: string[];
  lostEvents: string[];
  /** Actions and audits that failed, with the reason; no fault by itself. */
  failed: string[];
  /** Plans of appliers that were killed or frozen, the longest first. */
  takeovers: Takeover[];
}

/** A change of the cloud that one action asked for. */
interface Mutation {
  action: string;
  /** First key of the body, or method and kind of path: what was asked for. */
  what: string;
  request: LoggedRequest;
}

/**
 * Judges by what the simulated cloud saw and what it is like now. `before` are the servers as they were at the beginning.
 */
export async function judge(
  stack: ChaosStack,
  before: readonly Server[],
  seen: { events: CollectedEvents; leases: LeaseSamples },
): Promise<Verdict> {
  const { store } = stack;
  const { requests } = await stack.control<{ requests: LoggedRequest[] }>('/requests', null);
  const mutations = requests.flatMap(mutationOf);
  const plans = await store.db.actionPlans.list({ sortKey: 'id' });
  // Reverts are judged as what they come to: migrations and changes of services the other way.
  const rows = await store.db.actions.list({ sortKey: 'id' });
  const actions = rows.map((row) => ({ ...row, ...effectOf(row) }));
  const audits = await store.db.audits.list();
  const servers = await stack.cloud.compute.listServers();
  return {
    plans: plans.length,
    rollbacks: plans.filter(({ rollsBack }) => rollsBack !== null).length,
    actions: actions.length,
    lost: [
      ...lostEffects(actions, mutations),
      ...deniedEffects(actions, mutations, servers),
      ...wrongPlaces(actions, before, servers),
    ],
    duplicated: duplicates(mutations),
    stuck: [...stuckWork(plans, actions), ...stuckAudits(audits), ...stuckServers(before, servers)],
    lostEvents: lostEvents(mutations, actions, seen.events),
    failed: [...actions, ...audits].flatMap((row) =>
      row.state === 'FAILED' ? [`${row.uuid}: ${row.statusMessage}`] : [],
    ),
    takeovers: await findTakeovers(stack, plans, seen.leases),
  };
}

function mutationOf(request: LoggedRequest): Mutation[] {
  const [, action] = /^req-([0-9a-f-]{36})$/.exec(request.globalRequestId ?? '') ?? [];
  if (!action) return [];
  const what = request.path.endsWith('/action') ? (Object.keys(request.body ?? {})[0] ?? '') : request.method;
  return [{ action, what, request }];
}

function isAccepted({ request }: Mutation): boolean {
  return request.status !== null && request.status < 300;
}

/** Anything that was asked for again after it had been accepted. */
function duplicates(mutations: readonly Mutation[]): string[] {
  const accepted = new Set<string>();
  return mutations.flatMap((mutation) => {
    const key = `${mutation.action} ${mutation.what}`;
    if (accepted.has(key)) return [`request ${mutation.request.number}: ${key} again`];
    if (isAccepted(mutation)) accepted.add(key);
    return [];
  });
}

const requestsFor: Record<string, string[]> = {
  migrate: ['os-migrateLive', 'migrate'],
  change_nova_service_state: ['PUT'],
};

/** Actions that claim a success that the cloud has not seen, and requests of actions that do not know of them. */
function lostEffects(actions: readonly ActionView[], mutations: readonly Mutation[]): string[] {
  const asked = new Set(mutations.filter(isAccepted).map(({ action, what }) => `${action} ${what}`));
  const known = new Map(actions.map((row) => [row.uuid, row]));
  const unseen = actions.flatMap(({ uuid, state, actionType }) => {
    const effects = requestsFor[actionType];
    const isSeen = !effects || state !== 'SUCCEEDED' || effects.some((what) => asked.has(`${uuid} ${what}`));
    return isSeen ? [] : [`action ${uuid} SUCCEEDED without a request`];
  });
  const untold = mutations.filter(isAccepted).flatMap(({ action, what }) => {
    const row = known.get(action);
    return row && row.startedAt !== null ? [] : [`${what} of action ${action}, which is ${row?.state ?? 'not stored'}`];
  });
  return [...unseen, ...untold];
}

/** Moves that are said not to have succeeded, although the cloud took the request and the server is there. */
function deniedEffects(
  actions: readonly ActionView[],
  mutations: readonly Mutation[],
  after: readonly Server[],
): string[] {
  const asked = new Set(mutations.filter(isAccepted).map(({ action }) => action));
  const hosts = new Map(after.map(({ uuid, host }) => [uuid, host]));
  const lastMoves = new Map(actions.map((row) => [String(row.inputParameters.resource_id), row]));
  return [...lastMoves].flatMap(([server, { uuid, actionType, state, inputParameters }]) => {
    const isDenied = actionType === 'migrate' && state !== 'SUCCEEDED' && asked.has(uuid);
    if (!isDenied || hosts.get(server) !== inputParameters.destination_node) return [];
    return [`action ${uuid} is ${state}, but its server is on its destination`];
  });
}

/** Servers that are not where their last successful move took them. Of failed moves nothing is known. */
function wrongPlaces(actions: readonly ActionView[], before: readonly Server[], after: readonly Server[]): string[] {
  const expected = new Map<string, string | null>(before.map(({ uuid, host }) => [uuid, host]));
  const failed = new Set<string>();
  for (const { actionType, state, inputParameters } of actions) {
    if (actionType !== 'migrate') continue;
    const server = String(inputParameters.resource_id);
    if (state === 'SUCCEEDED') expected.set(server, String(inputParameters.destination_node));
    if (state === 'FAILED') failed.add(server);
  }
  return after.flatMap(({ uuid, host }) => {
    if (failed.has(uuid) || host === expected.get(uuid)) return [];
    return [`server ${uuid} is on ${host}, not on ${expected.get(uuid)}`];
  });
}

function stuckWork(plans: readonly ActionPlanView[], actions: readonly ActionView[]): string[] {
  const open = plans.flatMap(({ uuid, state, statusMessage }) =>
    isTerminal(actionPlanStateTable, state) ? [] : [`plan ${uuid} is ${state} (${statusMessage})`],
  );
  const running = actions.flatMap(({ uuid, state }) =>
    isTerminal(actionStateTable, state) ? [] : [`action ${uuid} is ${state}`],
  );
  return [...open, ...running];
}

function stuckAudits(audits: readonly AuditView[]): string[] {
  return audits.flatMap(({ uuid, state }) => (isTerminal(auditStateTable, state) ? [] : [`audit ${uuid} is ${state}`]));
}

function stuckServers(before: readonly Server[], after: readonly Server[]): string[] {
  const former = new Map(before.map(({ uuid, status }) => [uuid, status]));
  return after.flatMap(({ uuid, status, taskState }) => {
    const isSettled = taskState === null && status === former.get(uuid);
    return isSettled ? [] : [`server ${uuid} is ${status}, task ${taskState}`];
  });
}

/** Whoever follows the stream must have been told of the begin and the end of every action that changed the cloud. */
function lostEvents(mutations: readonly Mutation[], actions: readonly ActionView[], events: CollectedEvents): string[] {
  const changed = new Set(mutations.filter(isAccepted).map(({ action }) => action));
  const finals = new Map(actions.map(({ uuid, state }) => [uuid, state]));
  const untold = [...changed].flatMap((action) => {
    const told = events.statesOf(action);
    const isTold = told.includes('ONGOING') && told.at(-1) === finals.get(action);
    return isTold ? [] : [`of action ${action} only ${told.join(', ')} was told`];
  });
  const gaps = events.gaps();
  return gaps === 0 ? untold : [...untold, `${gaps} numbers are missing in the stream`];
}
