import type { WhatIf } from '#libs/cluster-model';
import type { ActionReason, BeforeAfter, RejectedAlternative } from '#libs/domain';
import { hostAt, instanceAt, instanceLabel, loadName, shortNumber } from '../shared/hosts/rows.ts';
import { type MoveWorth, worthSentence } from '../shared/moves/load-worth.ts';
import { createRejections } from '../shared/report/blocked-tally.ts';
import type { LoadMetric, LoadTable } from './load-table.ts';
import type { Move as WeighedMove } from './worth.ts';

type Move = Omit<WeighedMove, 'after'>;

/** Maximum destinations that an explanation checks, the least loaded first. */
const explainedDestinations = 64;

/** Other destinations of the instance before the move: refused by a constraint, or feasible with less benefit. */
export function rejectedDestinations(model: WhatIf, table: LoadTable, move: Move): RejectedAlternative[] {
  const rejections = createRejections((host) => hostAt(model.snapshot, host).hostname);
  for (const host of table.byPressure().slice(-explainedDestinations).reverse()) {
    if (host === move.to || host === move.from) continue;
    const refusal = model.refusal(move.instance, host);
    rejections.add(refusal ?? 'worse-spread', host);
  }
  return rejections.list();
}

/**
 * Loads of both hosts in percent and the deviation. Call `finish` after the move.
 * @param worth of the move, or of the whole exchange when the move is half of one
 */
export function beginReason(model: WhatIf, table: LoadTable, metrics: LoadMetric[], move: Move, worth: MoveWorth) {
  const { snapshot } = model;
  const hosts = [move.from, move.to];
  const rejected = rejectedDestinations(model, table, move);
  const deviationBefore = table.weighted();
  const loadsBefore = hosts.map((host) => metrics.map((_, metric) => table.load(metric, host) * 100));

  return {
    finish(): ActionReason {
      const loads = hosts.flatMap((host, index) =>
        metrics.map(
          (metric, column): BeforeAfter => ({
            quantity: metric.name,
            subject: hostAt(snapshot, host).hostname,
            unit: '%',
            before: loadsBefore[index]?.[column] ?? 0,
            after: table.load(column, host) * 100,
          }),
        ),
      );
      const deviation: BeforeAfter = {
        quantity: 'standard_deviation',
        subject: 'cluster',
        unit: 'fraction',
        before: deviationBefore,
        after: table.weighted(),
      };
      return {
        rule: move.back === undefined ? 'largest-drop-of-deviation' : 'swap',
        summary:
          sentence(model, move, loads, deviation, metrics.length) +
          worthSentence(worth, move.back === undefined ? 'It' : 'The exchange'),
        values: [...loads, deviation],
        rejected,
      };
    },
  };
}

function sentence(model: WhatIf, move: Move, loads: BeforeAfter[], deviation: BeforeAfter, metrics: number): string {
  const change = (value: BeforeAfter | undefined) =>
    value === undefined ? '' : `${value.subject} from ${shortNumber(value.before)} % to ${shortNumber(value.after)} %`;
  const name = instanceLabel(instanceAt(model.snapshot, move.instance));
  const what = loadName(loads[0]?.quantity ?? 'load');
  const partner =
    move.back === undefined
      ? ''
      : ` It changes places with ${instanceLabel(instanceAt(model.snapshot, move.back))}, since no single move helps.`;
  return (
    `Moving ${name} takes the ${what} of ${change(loads[0])} and of ${change(loads[metrics])}; ` +
    `the deviation across hosts falls from ${shortNumber(deviation.before * 100)} % ` +
    `to ${shortNumber(deviation.after * 100)} %.${partner}`
  );
}
