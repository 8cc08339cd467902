import type { WhatIf } from '#libs/cluster-model';
import type { BeforeAfter } from '#libs/domain';
import type { ProposedAction } from '#libs/plugin-kit';
import { migrateAction, migrationTypeOf } from '../actions.ts';
import { counted } from '../counted.ts';
import { hostAt, instanceAt, instanceLabel, shortNumber } from '../rows.ts';
import type { OrderedMove } from './order.ts';
import type { PlacedTerm, PlacementTask } from './placement-task.ts';

/** Sums of every host and column while the moves of a plan are told one after the other. */
class Sums {
  private readonly task: PlacementTask;
  private readonly rows: Float64Array;

  constructor(task: PlacementTask) {
    this.task = task;
    this.rows = Float64Array.from(task.problem.base);
    task.problem.home.forEach((host, item) => {
      this.add(item, host, 1);
    });
  }

  private add(item: number, host: number, sign: 1 | -1): void {
    const { columns, use } = this.task.problem;
    for (let k = 0; k < columns; k += 1) this.rows[host * columns + k]! += sign * use[item * columns + k]!;
  }

  move(item: number, from: number, to: number): void {
    this.add(item, from, -1);
    this.add(item, to, 1);
  }

  /** What a host adds to the value of a term. */
  valueAt({ first, hinges }: PlacedTerm, host: number): number {
    const { columns, prices } = this.task.problem;
    let value = 0;
    for (let k = first; k < first + hinges.length; k += 1)
      value += Math.max(0, this.rows[host * columns + k]!) * prices[k]!;
    return value;
  }
}

interface Change {
  term: PlacedTerm;
  before: [number, number];
  after: [number, number];
  /** In points by price, level weights included. */
  gain: number;
}

const rejectedExamples = 5;

/** The term that a move improves most, and what each host has of it before and after. */
function changesOf(sums: Sums, terms: readonly PlacedTerm[], { item, from, to }: OrderedMove): Change[] {
  const at = (term: PlacedTerm): [number, number] => [sums.valueAt(term, from), sums.valueAt(term, to)];
  const before = terms.map(at);
  sums.move(item, from, to);
  return terms.map((term, index): Change => {
    const was = before[index]!;
    const is = at(term);
    return { term, before: was, after: is, gain: (was[0] + was[1] - is[0] - is[1]) * term.price };
  });
}

function summaryOf(model: WhatIf, move: OrderedMove, main: Change | undefined, part: number): string {
  const { snapshot } = model;
  const label = (row: number) => instanceLabel(instanceAt(snapshot, row));
  const [source, target] = [hostAt(snapshot, move.from).hostname, hostAt(snapshot, move.to).hostname];
  const partners = move.makesRoomFor.map(label);
  const room =
    partners.length === 0
      ? ''
      : `; it makes room for ${partners[0]}${partners.length > 1 ? ` and ${counted(partners.length - 1, 'other instance')}` : ''}`;
  if (main === undefined || main.gain <= 0)
    return `${label(move.instance)} goes from ${source} to ${target}: other moves of the plan need that${room}.`;
  const digits = (value: number) => shortNumber(value, 3);
  const change = (index: 0 | 1) => `from ${digits(main.before[index])} to ${digits(main.after[index])}`;
  return (
    `${label(move.instance)} takes ${main.term.name} of ${source} ${change(0)} and of ${target} ${change(1)} ${main.term.unit}, ` +
    `${shortNumber(part * 100)} % of what the plan gains${room}.`
  );
}

/** Actions for the moves of a plan in their order. Each says what it improves most, and which better host was refused and why. */
export function explainMoves(model: WhatIf, task: PlacementTask, moves: readonly OrderedMove[]): ProposedAction[] {
  const { snapshot } = model;
  const sums = new Sums(task);
  const all = moves.reduce((sum, { gain }) => sum + gain, 0);
  return moves.map((move) => {
    const changes = changesOf(sums, task.terms, move);
    const [main] = [...changes].sort((a, b) => b.gain - a.gain);
    const [source, target] = [hostAt(snapshot, move.from), hostAt(snapshot, move.to)];
    const values = changes.flatMap(({ term, before, after }) =>
      [source, target].map(
        ({ hostname: subject }, index): BeforeAfter => ({
          quantity: term.name,
          subject,
          unit: term.unit,
          before: before[index]!,
          after: after[index]!,
        }),
      ),
    );
    const action = migrateAction(
      instanceAt(snapshot, move.instance),
      migrationTypeOf(snapshot, move.instance),
      source,
      target,
      {
        rule: main !== undefined && main.gain > 0 ? main.term.name : 'makes-room',
        summary: summaryOf(model, move, main, all > 0 ? move.gain / all : 0),
        values: values.filter(({ before, after }) => before !== after),
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
