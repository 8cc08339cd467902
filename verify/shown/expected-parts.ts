import type { HostUse } from '#libs/client';
import {
  gibText,
  numberText,
  roundedText,
  shareText,
  wholePercent,
} from '../../services/dashboard/components/number-text.ts';
import { indicatorText, indicatorTitle } from '../../services/dashboard/texts/api-names.ts';
import { text } from '../../tests/browser/texts.ts';
import type { ApiPlan } from './api-plan.ts';
import { durationWords, estimateWords, rangeWords } from './duration-words.ts';
import type { Shown } from './read-page.ts';

const ended = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED', 'SUPERSEDED', 'DELETED']);
const unchanged = new Set(['RECOMMENDED', 'PENDING', 'SUPERSEDED', 'DELETED']);
const undoing = { exact: 'gain.exact', 'best-effort': 'gain.bestEffort', impossible: 'gain.impossible' } as const;

const indicator = ({ indicators }: ApiPlan, name: string) => indicators.find((one) => one.name === name);

/** Deviations of `allocation_balance` are of counts, all others are parts of 1. */
const deviationText = (plan: ApiPlan, value: number | null | undefined) => {
  if (value === null || value === undefined) return '–';
  const unit = indicator(plan, 'standard_deviation_before_audit')?.unit;
  return plan.strategy === 'allocation_balance' && unit !== 'fraction' ? roundedText(value, 2) : shareText(value);
};

/** The deviation that the strategy evens out, when the plan was made and as predicted. */
function deviationOf(plan: ApiPlan): { planned: string; predicted: string } | null {
  const [before, after] = ['before', 'after'].map((when) => indicator(plan, `standard_deviation_${when}_audit`));
  if (!before) return null;
  return { planned: deviationText(plan, before.value), predicted: deviationText(plan, after?.value) };
}

const deviationTitles: Readonly<Record<string, string>> = {
  allocation_balance: 'Deviation of allocation across hosts',
  storage_capacity_balance: 'Deviation of use over pools',
};

const deviationTitle = ({ strategy }: ApiPlan) =>
  indicatorTitle(deviationTitles[strategy] ?? 'Deviation of load across hosts');

function gainOf(plan: ApiPlan): string[] {
  const deviation = deviationOf(plan);
  const isPair = deviation && ![deviation.planned, deviation.predicted].includes('–');
  const gains = isPair
    ? [`${deviationTitle(plan)} ${deviation.planned} → ${deviation.predicted}`]
    : plan.improvements.slice(0, 2).map(improvementOf);
  const used = plan.hosts.map(({ before, after }) => ({
    was: (before?.instances ?? 0) > 0,
    is: (after?.instances ?? 0) > 0,
  }));
  const freed = used.filter(({ was, is }) => was && !is).length - used.filter(({ was, is }) => !was && is).length;
  const gained = plan.reserveChanges.filter(({ change }) => change === 'gained').length;
  return [
    ...gains,
    ...(freed > 0 ? [text('gain.hostsFreed', { count: freed })] : []),
    ...(gained > 0 ? [text('gain.reservesGained', { count: gained })] : []),
    ...reachedOf(plan),
  ];
}

function improvementOf({
  quantity,
  deviation,
  highest_before: highest,
  fullest,
}: ApiPlan['sideEffects'][number]): string {
  const changes = [
    ['gain.fullest', highest, fullest.after],
    ['gain.deviation', deviation.before, deviation.after],
  ] as const;
  const shown = changes.find(([, from, to]) => to < from && wholePercent(from) !== wholePercent(to));
  const change = shown ? text(shown[0], { before: wholePercent(shown[1]), after: wholePercent(shown[2]) }) : '';
  return text('gain.improved', { quantity: text(`quantity.${quantity}` as 'quantity.memory'), change });
}

function reachedOf(plan: ApiPlan): string[] {
  const [before, after] = ['points_before_audit', 'points_after_audit'].map((name) => indicator(plan, name)?.value);
  const byPoints =
    typeof before === 'number' && typeof after === 'number' && before > 0 ? (before - after) / before : null;
  const share = plan.gap === null ? byPoints : 1 - plan.gap;
  if (share === null || share < 0) return [];
  if (share >= 0.995) return [text('gain.best')];
  // The page states a lower bound, without the error of binary fractions.
  return [text('gain.share', { share: wholePercent(Math.floor(100 * share + 1e-9)) })];
}

/**
 * The cost without the rollback.
 * @param memoryOf MiB of an instance by its uuid
 */
function costOf(plan: ApiPlan, memoryOf: (id: string) => number): string[] {
  const moves = plan.actions.filter(({ action_type: type }) => type === 'migrate' || type === 'evacuate');
  const isLive = ({ input_parameters: input }: ApiPlan['actions'][number]) => input.migration_type === 'live';
  const volumes = plan.actions.filter(({ action_type: type }) => type === 'volume_migrate').length;
  const lost = plan.reserveChanges.filter(({ change }) => change === 'lost').length;
  const moved = new Set(moves.map(({ input_parameters: input }) => String(input.resource_id)));
  const memory = [...moved].reduce((sum, id) => sum + memoryOf(id), 0);
  const counts = [
    ['gain.live', moves.filter(isLive).length],
    ['gain.cold', moves.filter((move) => !isLive(move)).length],
    ['gain.volumes', volumes],
    ['gain.others', plan.actions.length - moves.length - volumes],
    ['gain.sideEffects', plan.sideEffects.length + lost],
  ] as const;
  const { high } = plan.duration.seconds;
  return [
    ...counts.flatMap(([key, count]) => (count > 0 ? [text(key, { count })] : [])),
    ...(memory > 0 ? [gibText(memory)] : []),
    ...(high > 0 && !ended.has(plan.state) ? [estimateWords(plan.duration.seconds, plan.duration)] : []),
  ];
}

function undoOf(plan: ApiPlan): string[] {
  const verdict = plan.rollback === null ? undefined : undoing[plan.rollback as keyof typeof undoing];
  return verdict ? [text(verdict)] : [];
}

function countsOf({ actions }: ApiPlan): string {
  const count = (...states: string[]) => actions.filter(({ state }) => states.includes(state)).length;
  const others = { failed: count('FAILED'), cancelled: count('CANCELLED'), skipped: count('SKIPPED') };
  const words = [text('count.done', { succeeded: count('SUCCEEDED'), total: actions.length })];
  if (others.failed > 0) words.push(text('count.failed', { failed: others.failed }));
  if (others.cancelled > 0) words.push(text('count.cancelled', { cancelled: others.cancelled }));
  if (others.skipped > 0) words.push(text('count.skipped', { skipped: others.skipped }));
  return words.join(', ');
}

interface OutcomeLine {
  title: string;
  planned: string;
  predicted: string;
  before: string;
  achieved: string;
}

function outcomeLines(plan: ApiPlan): OutcomeLine[] {
  const { before, measurement } = plan;
  const after = measurement?.state === 'ACHIEVED' ? plan.after : null;
  const deviation = deviationOf(plan);
  const name = 'standard_deviation_before_audit';
  const names = new Set([before, after].flatMap((measured) => Object.keys(measured?.cluster ?? {})));
  const lines = [...names].map((one) => ({
    title: indicatorTitle(one),
    planned: '–',
    predicted: '–',
    before: clusterText(one, before?.cluster?.[one]),
    achieved: clusterText(one, after?.cluster?.[one]),
  }));
  if (!deviation) return lines;
  const measured = {
    before: deviationText(plan, before?.goal?.[name]),
    achieved: deviationText(plan, after?.goal?.[name]),
  };
  return [{ title: deviationTitle(plan), ...deviation, ...measured }, ...lines];
}

function clusterText(name: string, value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  return name.endsWith('_deviation') ? shareText(value) : roundedText(value);
}

/** The headline, progress, side effects and strips that the page of a plan must show. */
export function expectedHeadline(plan: ApiPlan, memoryOf: (id: string) => number): Shown {
  const [gain, cost] = [gainOf(plan), [...costOf(plan, memoryOf), ...undoOf(plan)]];
  const shown: Shown = new Map();
  if (unchanged.has(plan.state)) {
    shown.set('headline: gain', gain.length > 0 ? gain.join(' · ') : (cost[0] ?? ''));
    shown.set('headline: cost', (gain.length > 0 ? cost : cost.slice(1)).join(' · '));
  } else {
    if (gain.length > 0) shown.set(`headline: ${text('outcome.predicted')}`, gain.join(' · '));
    shown.set(`headline: ${text('gain.planned')}`, cost.join(' · '));
    shown.set(`headline: ${text('gain.done')}`, countsOf(plan));
    const known = outcomeLines(plan).filter(({ before, achieved }) => before !== '–' && achieved !== '–');
    const achieved = known.map(({ title, before, achieved: after }) => `${title} ${before} → ${after}`);
    const effect = achieved.length > 0 ? achieved.join(' · ') : effectText(plan);
    if (effect !== null) shown.set(`headline: ${text('outcome.achieved')}`, effect);
  }
  const effects = [
    ...plan.sideEffects.map(sideEffectText),
    ...plan.reserveChanges
      .filter(({ change }) => change === 'lost')
      .map(({ domain }) => text('sideEffects.reserveLost', { domain })),
  ];
  if (effects.length > 0) shown.set('side effect', effects.join('\n'));
  return shown;
}

/** Reason for a missing achieved value, or the word measured. Null where a time is shown, which is not compared. */
function effectText({ measurement }: ApiPlan): string | null {
  switch (measurement?.state) {
    case 'ACHIEVED':
      return text('effect.measured');
    case 'NOT_MEASURED':
      return text('effect.notMeasured', { reason: measurement.reason ?? '–' });
    case 'NOT_ATTRIBUTABLE': {
      const plans = (measurement.overlaps ?? []).map((uuid) => uuid.slice(0, 8)).join(', ');
      return text('effect.notAttributable', { plans });
    }
    case undefined:
      return text('effect.notYet');
    default:
      return null;
  }
}

/** Sentences with numbers that a page shows of the state of a plan. */
export function expectedNotes(plan: ApiPlan): string[] {
  const { holdUntil, state } = plan;
  const effect = effectText(plan);
  const window = holdUntil !== null && state === 'PENDING' ? [windowTime(holdUntil)] : [];
  return [...(effect === null ? [] : [effect]), ...window.map((time) => text('plan.waitsForWindow', { time }))];
}

/** A time as the browser of the judge writes it: American English, UTC. */
function windowTime(at: string): string {
  return new Intl.DateTimeFormat('en-US', {
    ...({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
    ...({ second: '2-digit', hourCycle: 'h23', timeZoneName: 'short', timeZone: 'UTC' } as const),
  }).format(new Date(at));
}

/** The bar of a plan: its words for screen readers, and the same words next to it. */
export function expectedProgress(plan: ApiPlan): Shown {
  const words = countsOf(plan);
  return new Map(plan.state === 'RECOMMENDED' ? [] : [['progress', `${words} | ${words}`]]);
}

function sideEffectText({
  quantity,
  deviation,
  highest_before: highest,
  fullest,
}: ApiPlan['sideEffects'][number]): string {
  const change = (before: number, after: number) => ({ before: wholePercent(before), after: wholePercent(after) });
  const parts = [text(`quantity.${quantity}` as 'quantity.memory')];
  if (fullest.after > highest) {
    parts.push(text('sideEffects.fullest', { host: fullest.hostname, ...change(fullest.before, fullest.after) }));
  }
  if (deviation.after > deviation.before) {
    parts.push(text('sideEffects.deviation', change(deviation.before, deviation.after)));
  }
  return parts.join(' · ');
}

/** The tables of the outcome and the promises, and the facts of the plan. */
export function expectedOutcome(plan: ApiPlan): Shown {
  const shown: Shown = new Map();
  for (const line of outcomeLines(plan)) {
    for (const column of ['planned', 'predicted', 'before', 'achieved'] as const) {
      shown.set(`${text('outcome.table')}: ${line.title}: ${text(`outcome.${column}`)}`, line[column]);
    }
  }
  for (const { quantity, low, high, achieved, verdict, reason } of plan.promises) {
    const name = `${text('promise.title')}: ${text(`promise.${quantity}`)}`;
    const written = (value: number) => {
      if (quantity === 'duration') return durationWords(value);
      return quantity.endsWith('_deviation')
        ? text('promise.points', { value: roundedText(value, 1), count: Math.round(value * 10) / 10 })
        : numberText(value, '%');
    };
    const range = text('duration.range', { from: roundedText(low, 1), to: written(high) });
    shown.set(`${name}: ${text('promise.range')}`, quantity === 'duration' ? rangeWords({ low, high }) : range);
    shown.set(`${name}: ${text('outcome.achieved')}`, achieved === null ? '–' : written(achieved));
    shown.set(
      `${name}: ${text('promise.verdict')}`,
      `${text(`promise.verdict.${verdict}`)}${reason ? `: ${reason}` : ''}`,
    );
  }
  const hidden = new Set(['standard_deviation_before_audit', 'standard_deviation_after_audit']);
  if (reachedOf({ ...plan, gap: null }).length > 0) hidden.add('points_before_audit').add('points_after_audit');
  for (const { name, value, unit } of [...plan.indicators.filter((one) => !hidden.has(one.name)), ...plan.efficacy]) {
    const title = `${text('outcome.numbers')}: ${indicatorTitle(name)}`;
    const written = indicatorText(name, value, unit);
    shown.set(title, shown.has(title) ? `${shown.get(title)}\n${written}` : written);
  }
  return shown;
}

/** The duration and the rollback, in the tab of the hosts. */
export function expectedLead({ duration, oneByOne, rollback, unplaced }: ApiPlan): Shown {
  const verdict = rollback && text(`rollback.word.${rollback as keyof typeof undoing}`);
  const values = {
    time: estimateWords(duration.seconds, duration),
    most: durationWords(oneByOne),
    undo: verdict ? ` ${text('plan.rollbackVerdict', { verdict })}` : '',
  };
  const lines = [
    text('plan.duration', values),
    ...(unplaced > 0 ? [text('changes.unplaced', { count: unplaced })] : []),
  ];
  return new Map([['lead', lines.join('\n')]]);
}

/** The rows of the changed hosts, in the tab of the plan (`Hosts`) or in its report (`Changed hosts`). */
export function expectedHosts(plan: ApiPlan, isReport: boolean): Shown {
  const shown: Shown = new Map();
  for (const host of plan.hosts) {
    const { hostname, before, after, so_far: soFar, today, instances_in: into, instances_out: out } = host;
    if (!before || !after) continue;
    if (isReport && into + out === 0 && before.enabled === after.enabled) continue;
    const name = `${isReport ? text('planReport.hosts') : text('column.hosts')}: ${hostname}`;
    const change = (written: (use: HostUse) => string) =>
      written(before) === written(after) ? written(before) : `${written(before)} → ${written(after)}`;
    shown.set(
      `${name}: ${text('column.instances')}`,
      change((use) => String(use.instances)),
    );
    shown.set(
      `${name}: ${text('column.vcpus')}`,
      change((use) => String(use.vcpus)),
    );
    shown.set(
      `${name}: ${text('column.memory')}`,
      change((use) => gibText(use.memory)),
    );
    if (isReport) continue;
    shown.set(`${name}: ${text('changes.service')}`, serviceText(before, after));
    shown.set(`${name}: ${text('changes.soFar')}`, useText(soFar));
    shown.set(`${name}: ${text('changes.today')}`, useText(today));
    shown.set(`${name}: ${text('changes.in')}`, into > 0 ? `+${into}` : '–');
    shown.set(`${name}: ${text('changes.out')}`, out > 0 ? `−${out}` : '–');
  }
  return shown;
}

function useText(use: HostUse | null): string {
  if (!use) return '–';
  const held = text('changes.use', { count: use.instances, memory: gibText(use.memory) });
  return use.enabled ? held : `${held}, ${text('common.disabled')}`;
}

function serviceText(before: HostUse, after: HostUse): string {
  const [from, to] = [before, after].map(({ enabled }) => text(enabled ? 'common.enabled' : 'common.disabled'));
  return from === to ? `${to}` : `${from} → ${to}`;
}

/** Cells of the row of a plan in the list of plans. */
export function expectedRow(plan: ApiPlan, memoryOf: (id: string) => number): Shown {
  const name = `${text('page.plans')}: ${plan.uuid.slice(0, 8)}`;
  const [gain, cost] = [gainOf(plan).join(' · '), costOf(plan, memoryOf).join(' · ')];
  const reported = gain !== '' && ended.has(plan.state) ? text('gain.predictedGain', { gain }) : gain;
  return new Map([
    [`${name}: ${text('column.gain')}`, [reported, cost].filter((part) => part !== '').join(' · ')],
    [`${name}: ${text('column.progress')}`, plan.state === 'RECOMMENDED' ? '–' : countsOf(plan)],
    [`${name}: ${text('column.state')}`, plan.state],
    [`${name}: ${text('column.audit')}`, plan.audit],
  ]);
}
