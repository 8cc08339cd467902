import { type BlockedCount, counted, movingActionTypes } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';

/** Moves of the last hour, and their budgets. */
export interface MoveAllowance {
  /** Moves in the cloud. */
  cloud: number;
  /** Moves from or to each host, by name. */
  hosts: Readonly<Record<string, number>>;
  /** Budgets for an hour. 0: no limit. */
  perCloud: number;
  perHost: number;
}

/** Part of a proposal that is within the budgets. */
export interface AllowedActions {
  actions: ProposedAction[];
  /** One for each exhausted budget. */
  notes: string[];
  blocked: BlockedCount[];
}

/** Name of the constraint in reports. */
const constraint = 'move-budget';
const exampleLimit = 10;

const isMove = ({ actionType }: ProposedAction) => movingActionTypes.includes(actionType);
const hostsOf = ({ inputParameters: { source_node: from, destination_node: to } }: ProposedAction) =>
  [...new Set([from, to])].filter((host) => typeof host === 'string');

/**
 * Groups of migrations that are only useful together: all migrations that empty a host. Other migrations are separate
 * groups.
 */
function groupsOf(actions: readonly ProposedAction[]): ProposedAction[][] {
  const freed = new Set(actions.flatMap(({ freesHost }) => freesHost ?? []));
  const groups = new Map<unknown, ProposedAction[]>();
  for (const action of actions.filter(isMove)) {
    const { source_node: source } = action.inputParameters;
    const key = typeof source === 'string' && freed.has(source) ? source : action;
    groups.set(key, [...(groups.get(key) ?? []), action]);
  }
  return [...groups.values()];
}

/** Counts moves, and finds the budget that further moves would exceed. */
class Account {
  private cloud: number;
  private readonly hosts: Map<string, number>;
  private readonly allowance: MoveAllowance;

  constructor(allowance: MoveAllowance) {
    this.allowance = allowance;
    this.cloud = allowance.cloud;
    this.hosts = new Map(Object.entries(allowance.hosts));
  }

  add(moves: readonly ProposedAction[]): void {
    this.cloud += moves.length;
    for (const host of moves.flatMap(hostsOf)) this.hosts.set(host, (this.hosts.get(host) ?? 0) + 1);
  }

  /** Null: none. An empty text: the budget of the cloud. Else the name of the host. */
  exceededBy(moves: readonly ProposedAction[]): string | null {
    const { perCloud, perHost } = this.allowance;
    if (perCloud > 0 && this.cloud + moves.length > perCloud) return '';
    if (perHost === 0) return null;
    const more = new Map<string, number>();
    for (const host of moves.flatMap(hostsOf)) more.set(host, (more.get(host) ?? 0) + 1);
    return [...more].find(([host, count]) => (this.hosts.get(host) ?? 0) + count > perHost)?.[0] ?? null;
  }
}

/**
 * Returns the actions without the migrations that exceed a budget. Migrations that empty a host are left out together,
 * with the actions that need it empty. Urgent migrations count, and are never left out.
 * @param urgentRules rules of reasons that relieve an overloaded host or repair a broken rule
 */
export function withinAllowance(
  actions: readonly ProposedAction[],
  allowance: MoveAllowance,
  urgentRules: readonly string[],
): AllowedActions {
  const account = new Account(allowance);
  const left = new Map<string, ProposedAction[]>();
  for (const group of groupsOf(actions)) {
    const urgent = group.filter(({ reason }) => urgentRules.includes(reason.rule));
    account.add(urgent);
    const others = group.filter((action) => !urgent.includes(action));
    const exceeded = others.length > 0 ? account.exceededBy(others) : null;
    if (exceeded === null) account.add(others);
    else left.set(exceeded, [...(left.get(exceeded) ?? []), ...others]);
  }
  const out = [...left.values()].flat();
  if (out.length === 0) return { actions: [...actions], notes: [], blocked: [] };
  const omitted = new Set(out);
  const busy = new Set(out.map(({ inputParameters: { source_node: source } }) => source));
  return {
    actions: actions.filter((action) => !omitted.has(action) && !busy.has(action.freesHost ?? '')),
    notes: [...left].map(([host, moves]) => noteOf(host, moves.length, allowance)),
    blocked: [{ constraint, count: out.length, examples: out.slice(0, exampleLimit).map(labelOf) }],
  };
}

function labelOf({ inputParameters: { resource_name: name, resource_id: id } }: ProposedAction): string {
  return String(name ?? id);
}

function noteOf(host: string, count: number, { cloud, hosts, perCloud, perHost }: MoveAllowance): string {
  const left = `${counted(count, 'migration', ['is', 'are'])} left to later audits`;
  if (host === '') return `${left}: ${cloud} of at most ${perCloud} moves of the cloud were made in the last hour`;
  return `${left}: ${hosts[host] ?? 0} of at most ${perHost} moves from and to ${host} were made in the last hour`;
}
