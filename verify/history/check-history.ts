/**
 * An event of a history. `at` is the number of the newest change that was committed before the event, and for
 * `held`, `claimed` and `ended` the number of that change. Events with equal numbers are in the order of the list.
 */
export type HistoryEvent = { at: number } & (
  | { kind: 'start_requested'; start: string; plan: string }
  | { kind: 'start_admitted'; start: string }
  /** `holder` is the plan that the refusal names. */
  | { kind: 'start_refused'; start: string; reason: string; holder: string | null }
  /** The plan holds its hosts from here to its end. */
  | { kind: 'held'; plan: string }
  | { kind: 'claimed'; plan: string; applier: string }
  /** A request of an action to the cloud. */
  | { kind: 'sent'; plan: string; applier: string; hosts: readonly string[] }
  | { kind: 'ended'; plan: string }
  /** No call of the applier is in progress. */
  | { kind: 'killed'; applier: string }
);

/** Everything that happened to plans, from a database without started plans to the end of all plans. */
export interface History {
  /** The hosts that each plan uses or frees. */
  hosts: ReadonlyMap<string, readonly string[]>;
  events: readonly HistoryEvent[];
}

/** A broken rule. `plans` are the plans that it concerns. */
export interface Violation {
  kind: 'overlap' | 'stray_request' | 'start_without_outcome' | 'hold_without_end';
  text: string;
  plans: string[];
}

/** Half-open: the plan does not hold at `to`. */
interface Hold {
  plan: string;
  from: number;
  to: number;
}

/**
 * Checks that no two plans hold one host, that only the applier of a plan that holds a host changes the host, that
 * each start has an outcome, and that each hold ends.
 */
export function checkHistory({ hosts, events }: History): Violation[] {
  const holds = holdsOf(events);
  return [...overlaps(holds, hosts), ...strayRequests(events, holds, hosts), ...starts(events, holds), ...open(holds)];
}

function holdsOf(events: readonly HistoryEvent[]): Hold[] {
  const holds: Hold[] = [];
  const current = new Map<string, Hold>();
  for (const event of events) {
    if (event.kind === 'held' && !current.has(event.plan)) {
      const hold = { plan: event.plan, from: event.at, to: Number.POSITIVE_INFINITY };
      current.set(event.plan, hold);
      holds.push(hold);
    } else if (event.kind === 'ended') {
      const hold = current.get(event.plan);
      if (hold) hold.to = event.at;
      current.delete(event.plan);
    }
  }
  return holds.sort((one, other) => one.from - other.from);
}

function overlaps(holds: readonly Hold[], hosts: History['hosts']): Violation[] {
  const violations: Violation[] = [];
  for (const [place, one] of holds.entries()) {
    for (const other of holds.slice(place + 1)) {
      if (other.from >= one.to) break;
      const shared = (hosts.get(one.plan) ?? []).filter((host) => hosts.get(other.plan)?.includes(host));
      if (shared.length === 0) continue;
      const text = `${other.plan} holds ${shared.join(', ')} from ${other.from}, ${one.plan} until ${one.to}`;
      violations.push({ kind: 'overlap', text, plans: [one.plan, other.plan] });
    }
  }
  return violations;
}

function strayRequests(events: readonly HistoryEvent[], holds: readonly Hold[], hosts: History['hosts']): Violation[] {
  const violations: Violation[] = [];
  const appliers = new Map<string, string>();
  const dead = new Set<string>();
  for (const event of events) {
    if (event.kind === 'claimed') appliers.set(event.plan, event.applier);
    if (event.kind === 'killed') dead.add(event.applier);
    if (event.kind !== 'sent') continue;
    const { plan, applier, at } = event;
    const isHeld = holds.some((hold) => hold.plan === plan && hold.from <= at && at < hold.to);
    const foreign = event.hosts.filter((host) => !isHeld || !hosts.get(plan)?.includes(host));
    const add = (why: string) =>
      violations.push({ kind: 'stray_request', text: `${applier} sent a request at ${at}: ${why}`, plans: [plan] });
    if (foreign.length > 0) add(`${plan} does not hold ${foreign.join(', ')}`);
    if (dead.has(applier)) add('the applier was killed');
    if (appliers.get(plan) !== applier) add(`${plan} belongs to ${appliers.get(plan) ?? 'no applier'}`);
  }
  return violations;
}

function starts(events: readonly HistoryEvent[], holds: readonly Hold[]): Violation[] {
  const outcomes = new Map(
    events.flatMap((event) =>
      event.kind === 'start_admitted' || event.kind === 'start_refused' ? [[event.start, event] as const] : [],
    ),
  );
  return events.flatMap((event): Violation[] => {
    if (event.kind !== 'start_requested') return [];
    const { start, plan, at } = event;
    const outcome = outcomes.get(start);
    const lost = (why: string): Violation[] => [
      { kind: 'start_without_outcome', text: `start ${start} of ${plan} ${why}`, plans: [plan] },
    ];
    if (!outcome) return lost('has no response');
    if (outcome.kind === 'start_admitted') {
      const isStored = holds.some((hold) => hold.plan === plan && at < hold.from && hold.from <= outcome.at);
      return isStored ? [] : lost('was admitted, and the plan did not hold its hosts then');
    }
    if (outcome.reason.trim() === '') return lost('was refused without a reason');
    const { holder } = outcome;
    const isHolding =
      holder === null || holds.some((one) => one.plan === holder && one.from <= outcome.at && at < one.to);
    if (isHolding) return [];
    const text = `start ${start} of ${plan} was refused for ${holder}, which held nothing from ${at} to ${outcome.at}`;
    return [{ kind: 'hold_without_end', text, plans: [holder] }];
  });
}

/** Holds that never ended. */
function open(holds: readonly Hold[]): Violation[] {
  return holds
    .filter(({ to }) => to === Number.POSITIVE_INFINITY)
    .map(({ plan, from }) => ({
      kind: 'hold_without_end',
      text: `${plan} holds its hosts since ${from}`,
      plans: [plan],
    }));
}
