import type { WhatIf } from '#libs/cluster-model';
import { type BeforeAfter, counted } from '#libs/domain';
import { Placement } from '#libs/optimizer';
import type { ProposedAction } from '#libs/plugin-kit';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../shared/hosts/rows.ts';
import { migrateAction, migrationTypeOf } from '../shared/moves/actions.ts';
import type { OrderedMove } from './order.ts';
import type { PlacedTerm, PlacementTask } from './placement-task.ts';
import type { Share } from './terms.ts';

/** The terms of every host, updated while the moves of a plan are explained in order. */
class Values {
  private readonly placements: Map<PlacedTerm, Placement>;
  private readonly instanceOf: Int32Array;
  /** Loads of hosts by share. */
  private readonly loads = new Map<Share, Float64Array>();

  constructor({ terms, problem, instanceOf }: PlacementTask) {
    this.instanceOf = instanceOf;
    this.placements = new Map(terms.map((term) => [term, new Placement(term.alone)]));
    for (const share of terms.flatMap(({ shares = [] }) => shares)) {
      const load = share.base?.slice() ?? new Float64Array(problem.hosts);
      problem.home.forEach((host, item) => {
        load[host]! += share.use[instanceOf[item]!]!;
      });
      this.loads.set(share, load);
    }
  }

  move(item: number, from: number, to: number): void {
    for (const placement of this.placements.values()) placement.move(item, to);
    for (const [{ use }, load] of this.loads) {
      load[from]! -= use[this.instanceOf[item]!]!;
      load[to]! += use[this.instanceOf[item]!]!;
    }
  }

  /** The share of a term with the highest load on a host. Undefined when the term has none. */
  mostOf({ shares = [] }: PlacedTerm, host: number): Share | undefined {
    return [...shares].sort((a, b) => this.percentOf(b, host) - this.percentOf(a, host))[0];
  }

  /** Load of a host in percent of its size. 0 when its size is 0. */
  percentOf(share: Share, host: number): number {
    const size = share.size[host]!;
    return size > 0 ? (100 * this.loads.get(share)![host]!) / size : 0;
  }

  /** Contribution of a host to the value of a term. */
  at(term: PlacedTerm, host: number): number {
    return this.placements.get(term)!.costOf(host);
  }
}

interface Change {
  term: PlacedTerm;
  /** Percent of each host when the term has shares, else in the unit of the term. */
  words: string;
  /** Whether the contribution of each host changes. */
  counts: [boolean, boolean];
  before: [number, number];
  after: [number, number];
  /** Points by price, including level weights. */
  gain: number;
}

const rejectedExamples = 5;

/** Text for a term in a sentence about one host. */
const termWords: Readonly<Record<string, string>> = {
  broken_groups: 'members that break a server group',
  broken_rules: 'instances that break a rule',
  disabled_hosts: 'the use while disabled',
  hosts_in_use: 'hosts in use',
  licensed_hosts: 'use under licences',
  misplaced: 'instances outside of their zone or aggregates',
};

/** The display name of a term. Terms without a text use their name. A flavor follows after a colon. */
function wordsOf({ name }: PlacedTerm): string {
  const [term = name, flavor] = name.split(':');
  const words = termWords[term] ?? term.replaceAll('_', ' ');
  return flavor === undefined ? words : `${words} for ${flavor}`;
}

/** Fraction of the gain of a plan. 1: all of it. */
export function gainShare(part: number): string {
  const percent = 100 * part;
  if (percent < 0) return 'which the plan makes up for elsewhere';
  return `${percent > 0 && percent < 1 ? 'less than 1' : shortNumber(percent)} % of the plan's gain`;
}

/** The term that a move improves most, and its value on each host before and after. */
function changesOf(values: Values, terms: readonly PlacedTerm[], { item, from, to }: OrderedMove): Change[] {
  const at = (term: PlacedTerm): [number, number] => [values.at(term, from), values.at(term, to)];
  const percentsOf = (share: Share): [number, number] => [values.percentOf(share, from), values.percentOf(share, to)];
  const before = terms.map((term) => {
    const share = values.mostOf(term, from);
    return { parts: at(term), share, percents: share && percentsOf(share) };
  });
  values.move(item, from, to);
  return terms.map((term, index): Change => {
    const { parts: was, share, percents } = before[index]!;
    const is = at(term);
    return {
      term,
      words: share?.words ?? wordsOf(term),
      counts: [was[0] !== is[0], was[1] !== is[1]],
      before: percents ?? was,
      after: share ? percentsOf(share) : is,
      gain: (was[0] + was[1] - is[0] - is[1]) * term.price,
    };
  });
}

/** Change by moves that only gain together: the term with the largest gain, and its values on the first host. */
interface Whole {
  main: Change | undefined;
  /** Fraction of the gain of the plan. */
  part: number;
}

function wholeOf(changes: readonly Change[][], moves: readonly OrderedMove[], all: number): Whole {
  const gain = moves.reduce((sum, move) => sum + move.gain, 0);
  const sums = (changes[0] ?? []).map((first, term): Change => {
    const last = changes.at(-1)![term]!;
    return {
      ...first,
      after: [last.after[0], last.after[1]],
      gain: changes.reduce((sum, own) => sum + own[term]!.gain, 0),
    };
  });
  const [main] = sums.sort((a, b) => b.gain - a.gain);
  return { main: main !== undefined && main.gain > 0 ? main : undefined, part: all > 0 ? gain / all : 0 };
}

function roomText(model: WhatIf, move: OrderedMove): string {
  const [first, ...others] = move.makesRoomFor.map((row) => instanceLabel(instanceAt(model.snapshot, row)));
  if (first === undefined) return '';
  return `; it makes room for ${first}${others.length > 0 ? ` and ${counted(others.length, 'other instance')}` : ''}`;
}

function summaryOf(model: WhatIf, move: OrderedMove, { main, part }: Whole): string {
  const { snapshot } = model;
  const label = instanceLabel(instanceAt(snapshot, move.instance));
  const [source, target] = [hostAt(snapshot, move.from).hostname, hostAt(snapshot, move.to).hostname];
  const room = roomText(model, move);
  if (main === undefined) return `${label} goes from ${source} to ${target}: other moves of the plan need that${room}.`;
  const digits = (value: number) => shortNumber(value, main.term.shares === undefined ? 3 : 1);
  const change = (index: 0 | 1) => `from ${digits(main.before[index])} to ${digits(main.after[index])}`;
  const share = gainShare(part);
  const there = main.before[1] === main.after[1] ? '' : ` and of ${target} ${change(1)}`;
  if (main.term.name === 'over_capacity')
    return (
      `${label} leaves ${source}, which is ${digits(main.before[0] - 100)} % above its ${main.words}, and takes it to ` +
      `${digits(main.after[0])} % and ${target} ${change(1)} %, ${share}${room}.`
    );
  const { count } = move.together;
  if (count > 1)
    return (
      `${label} goes from ${source} to ${target}: with ${counted(count - 1, 'other migration')} off ${source} that takes ` +
      `${main.words} there ${change(0)} ${main.term.unit}, together ${share}${room}.`
    );
  return `${label} takes ${main.words} of ${source} ${change(0)}${there} ${main.term.unit}, ` + `${share}${room}.`;
}

/** Values of both hosts of a move for each term that it changes, before and after. */
function valuesOf({ snapshot }: WhatIf, { from, to }: OrderedMove, changes: readonly Change[]): BeforeAfter[] {
  return changes.flatMap(({ term, counts, before, after }) =>
    ([0, 1] as const).flatMap((index): BeforeAfter[] => {
      if (!counts[index]) return [];
      const subject = hostAt(snapshot, index === 0 ? from : to).hostname;
      return [{ quantity: term.name, subject, unit: term.unit, before: before[index], after: after[index] }];
    }),
  );
}

/**
 * Actions for the moves of a plan in their order. Each names its largest improvement, and the better host that was
 * refused with the reason.
 */
export function explainMoves(model: WhatIf, task: PlacementTask, moves: readonly OrderedMove[]): ProposedAction[] {
  const { snapshot } = model;
  const values = new Values(task);
  const all = moves.reduce((sum, { gain }) => sum + gain, 0);
  const changes = moves.map((move) => changesOf(values, task.terms, move));
  return moves.map((move, index) => {
    const { first, count } = move.together;
    const whole = wholeOf(changes.slice(first, first + count), moves.slice(first, first + count), all);
    const action = migrateAction(
      instanceAt(snapshot, move.instance),
      migrationTypeOf(snapshot, move.instance),
      hostAt(snapshot, move.from),
      hostAt(snapshot, move.to),
      {
        rule: whole.main?.term.name ?? 'makes-room',
        summary: summaryOf(model, move, whole),
        values: valuesOf(model, move, changes[index]!),
        rejected: move.refused.slice(0, rejectedExamples).map(({ host, because, others }) => ({
          alternative: hostAt(snapshot, host).hostname,
          because,
          others,
        })),
      },
    );
    return { ...action, gain: move.gain };
  });
}
