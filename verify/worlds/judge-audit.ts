import { isDeepStrictEqual } from 'node:util';
import type { PlannedAction } from '#libs/plugin-kit';
import type { CrookedWorld } from '#libs/random-worlds';
import { createDraw } from '#libs/random-worlds';
import { type AuditContext, auditContextOf } from './audit-context.ts';
import { lostReserves } from './judge-failures.ts';
import { wrongHosts, wrongIndicators } from './judge-numbers.ts';
import { heated, wrongObjective } from './judge-objective.ts';
import { wrongPools } from './judge-pools.ts';
import { filledBlindly, wrongRelief } from './judge-relief.ts';
import { hasOtherPlace } from './judge-repairs.ts';
import { emptiedDomains, overfilled } from './judge-reserve.ts';
import { type Played, playPlan } from './play-plan.ts';
import { type Audited, type Failed, runAudit } from './run-audit.ts';
import type { Variant } from './variants.ts';

/** Kinds of faults, counted separately. */
export const faultKinds = [
  'refused',
  'out_of_bounds',
  'freed_in_use',
  'numbers',
  'reserve',
  'not_deterministic',
  'failed',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A defect of a plan. */
export interface Fault {
  kind: FaultKind;
  seed: number;
  strategy: string;
  parameters: string;
  what: string;
}

/** Result of one audit. */
export interface Verdict {
  faults: Fault[];
  actions: number;
  moves: number;
}

/** Codes of errors with which a strategy may legitimately end. */
const honestErrors = new Set(['metrics_missing', 'invalid_input']);
const consolidators = new Set(['basic', 'vm_workload_consolidation', 'node_resource_consolidation']);
const optimizers = new Set(['balance_optimizer', 'consolidation_optimizer', 'placement_optimizer']);

const isFailed = (run: Audited | Failed): run is Failed => 'error' in run;

type Input = PlannedAction['inputParameters'];

/** Returns hosts that an action names but must not use. */
function outsideScope({ actionType, inputParameters: input }: PlannedAction, hosts: ReadonlySet<string>): string[] {
  const ofHost = actionType.startsWith('change_') ? [input.resource_name] : [input.destination_node];
  const used = ofHost.flatMap((host) => (host === undefined ? [] : [String(host)]));
  return used.filter((host) => !hosts.has(host)).map((host) => `${actionType} uses ${host}, which is out of scope`);
}

/** Returns servers that must stay untouched, and destinations outside the scope. */
function forbidden(input: Input, byOrder: boolean, auditContext: AuditContext, allHosts: number): string[] {
  const { hosts, excluded, heldBack, refusedMoves } = auditContext;
  const [server, to] = [String(input.resource_id), input.destination_node];
  const isHeld = excluded.has(server) || (!byOrder && heldBack.has(server));
  const isOpen = input.migration_type !== undefined && to === undefined && hosts.size < allHosts;
  const isRefused = refusedMoves.some(({ instance, host }) => instance === server && host === to);
  return [
    ...(isHeld ? [`${server} is to be left alone`] : []),
    ...(isRefused ? [`Nova lately refused ${server} on ${String(to)}`] : []),
    ...(isOpen ? [`${server} may go anywhere, also out of scope`] : []),
  ];
}

function outOfBounds({ manifest, actions }: Audited, auditContext: AuditContext, allHosts: number): string[] {
  const ofServers = actions.filter(({ actionType }) => actionType !== 'volume_migrate' && actionType !== 'nop');
  return ofServers.flatMap((action) => [
    ...outsideScope(action, auditContext.hosts),
    ...forbidden(action.inputParameters, manifest.byOrder === true, auditContext, allHosts),
  ]);
}

/** More migrations than the parameters allow. */
function overBudget({ parameters, actions }: Audited): string[] {
  const limits = [parameters.max_moves, parameters.migration_budget].map(Number).filter((limit) => limit > 0);
  const moves = actions.filter(({ actionType }) => actionType === 'migrate').length;
  return moves > Math.min(...limits) ? [`${moves} migrations, ${limits.join(' or ')} at most are allowed`] : [];
}

function freedInUse({ freed, judge }: Played): string[] {
  return [...freed].flatMap((host) => {
    const users = judge.usersOf(host);
    return users.length === 0 ? [] : [`${host} is freed, and ${users.slice(0, 3).join(', ')} still use it`];
  });
}

/** Whether a plan repairs broken rules or hosts above their capacity. Emptying disabled hosts is no such repair. */
const isRepair = ({ report }: Audited): boolean =>
  report.objective?.some(
    ({ level, term, before, after }) => level === 0 && term !== 'disabled_hosts' && after < before - 1e-6,
  ) ?? false;

function wrongReserve(world: CrookedWorld, auditContext: AuditContext, audited: Audited, played: Played): string[] {
  const { manifest, parameters, report } = audited;
  const isSearch = optimizers.has(manifest.name);
  if (!isSearch && !consolidators.has(manifest.name)) return [];
  const frees = !isSearch || manifest.name === 'consolidation_optimizer' || parameters.preset === 'consolidate';
  // A repair may exceed the target and the hot limit, but not when another host could surely take the server.
  const mayExceed = (host: string) => isRepair(audited) && !hasOtherPlace(world, auditContext, audited, played, host);
  const filled = frees ? overfilled(world, audited, played, mayExceed) : [];
  const hot = isSearch && frees ? heated(world, audited, played, mayExceed) : [];
  // Emptying a host that takes no more instances, or relieving an overfull one, comes before the reserve.
  const repairs = report.objective?.some(({ level, before, after }) => level === 0 && after < before - 1e-6) ?? false;
  const reserve = isSearch ? parameters.reserve_hosts : parameters.failure_reserve;
  if (reserve === 0 || repairs) return [...filled, ...hot];
  // The relief of an overloaded host is not limited by the reserve, but takes other hosts where there are some.
  const relieving = audited.actions.filter(({ reason }) => reason?.rule === 'relieve-overload');
  const mayLose = (hosts: readonly string[]) => {
    const takers = hosts.filter((host) =>
      relieving.some(({ inputParameters }) => inputParameters.destination_node === host),
    );
    const relief = { ...audited, actions: relieving };
    return takers.length > 0 && !takers.some((host) => hasOtherPlace(world, auditContext, relief, played, host));
  };
  const lost = [...emptiedDomains(world, auditContext, played), ...lostReserves(world, auditContext, played, mayLose)];
  return [...lost, ...filled, ...hot];
}

/** Number of orders of a plan to play. Small plans have few. */
function ordersFor(actions: number, most: number): number {
  return actions === 0 ? 0 : Math.min(most, actions * 3);
}

/** Returns whether a second run gives the same plan when the rows of the services come in another order. */
async function isTheSame(world: CrookedWorld, auditContext: AuditContext, variant: Variant, first: Audited) {
  const draw = createDraw(world.seed ^ 0xdec);
  const { servers, hypervisors, services } = world;
  const again = await runAudit(
    {
      ...world,
      servers: draw.shuffled(servers),
      hypervisors: draw.shuffled(hypervisors),
      services: draw.shuffled(services),
    },
    auditContext,
    variant,
  );
  return !isFailed(again) && isDeepStrictEqual(again.actions, first.actions);
}

/**
 * Runs one strategy on a world and judges its plan.
 * @param orders most orders of the plan to play, drawn from the seed of the world
 * @param seen the world that the engine sees. A difference to `world` shows whether the judge notices it
 * @param replaced parts of the audit context that the engine gets in place of the real ones
 */
export async function judgeAudit(
  world: CrookedWorld,
  variant: Variant,
  orders: number,
  seen: CrookedWorld = world,
  replaced: Partial<AuditContext> = {},
): Promise<Verdict> {
  const auditContext = auditContextOf(world);
  const known = { ...auditContext, ...replaced };
  const faults: Fault[] = [];
  const parameters = JSON.stringify(variant.parameters);
  const blame = (kind: FaultKind, reasons: readonly string[]) => {
    for (const what of reasons) faults.push({ kind, seed: world.seed, strategy: variant.strategy, parameters, what });
  };
  const audited = await runAudit(seen, known, variant);
  if (isFailed(audited)) {
    const { code } = audited.error as { code?: string };
    if (!honestErrors.has(code ?? '')) blame('failed', [`${code ?? audited.error.name}: ${audited.error.message}`]);
    return { faults, actions: 0, moves: 0 };
  }
  const { actions } = audited;
  blame('out_of_bounds', outOfBounds(audited, auditContext, world.services.length));
  blame('out_of_bounds', overBudget(audited));
  blame('out_of_bounds', filledBlindly(world, auditContext, audited));
  if (!(await isTheSame(seen, known, variant, audited))) blame('not_deterministic', ['another plan']);
  const draw = createDraw(world.seed ^ 0x01d);
  const plays = Array.from({ length: ordersFor(actions.length, orders) }, () =>
    playPlan(world, actions, draw, auditContext.rules),
  );
  blame('refused', [...new Set(plays.flatMap(({ refused }) => refused))]);
  blame('out_of_bounds', [...new Set(plays.flatMap(({ broken }) => broken))]);
  const [played] = plays;
  if (played !== undefined) {
    blame('freed_in_use', freedInUse(played));
    blame('numbers', wrongIndicators(world, auditContext, audited, played));
    blame('numbers', wrongPools(world, audited, played));
    blame('numbers', wrongRelief(world, auditContext, audited, played));
    blame('numbers', wrongHosts(world, audited, played));
    blame('numbers', wrongObjective({ world, auditContext, audited, played }));
    blame('reserve', wrongReserve(world, auditContext, audited, played));
  }
  return { faults, actions: actions.length, moves: plays.reduce((sum, { moved }) => sum + moved.length, 0) };
}
