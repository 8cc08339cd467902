import { gainedShare, quantitiesOf, withUnits } from '#libs/client';
import type { PlanHeadlineData, PlanRow } from '../api/list-types.ts';
import { hasEnded } from '../live/ended-entities.ts';
import { indicatorText, indicatorTitle } from '../texts/api-names.ts';
import { type PlainKey, text } from '../texts/texts.ts';
import { durationPhrase } from './duration-phrase.ts';
import { gibText, wholePercent } from './number-text.ts';

/** Gain and cost of a plan, each in a few words. */
export interface HeadlineParts {
  gain: string[];
  cost: string[];
  /** Whether it can be rolled back. Empty if unknown. */
  undo: string[];
}

/** Fields of a plan for its headline. */
export type HeadedPlan = Pick<PlanRow, 'headline' | 'strategy_name' | 'state'>;

const undoing: Readonly<Record<string, PlainKey>> = {
  exact: 'gain.exact',
  'best-effort': 'gain.bestEffort',
  impossible: 'gain.impossible',
};

type CountKey =
  | 'gain.hostsFreed'
  | 'gain.reservesGained'
  | 'gain.live'
  | 'gain.cold'
  | 'gain.volumes'
  | 'gain.others'
  | 'gain.sideEffects';
const counted = (count: number, key: CountKey) => (count === 0 ? [] : [text(key, { count })]);

/** Failure domains that lose their reserve by a plan. */
export function lostReserves({ reserve_changes: changes }: Pick<PlanHeadlineData, 'reserve_changes'>) {
  return (changes ?? []).filter(({ change }) => change === 'lost');
}

/**
 * The headline of a plan in words. After the end of the plan it omits the duration, which would be an estimate of
 * today.
 */
export function headlineParts({ headline, strategy_name: strategy, state }: HeadedPlan): HeadlineParts {
  const { live_migrations: live, cold_migrations: cold, volume_moves: volumes, other_actions: others } = headline;
  if (live + cold + volumes + others === 0) return { gain: [], cost: [text('gain.nothing')], undo: [] };
  const { hosts_freed: freed, memory, rollback, duration, side_effects: effects, reserve_changes: reserves } = headline;
  const lost = lostReserves(headline).length;
  const gained = gainedQuantities(headline.indicators, strategy);
  return {
    gain: [
      ...(gained.length > 0 ? gained : (headline.improvements ?? []).slice(0, mostImprovements).map(improvementText)),
      ...(freed === null ? [] : counted(freed, 'gain.hostsFreed')),
      ...counted((reserves?.length ?? 0) - lost, 'gain.reservesGained'),
      ...shareOfGain(headline),
    ],
    cost: [
      ...counted(live, 'gain.live'),
      ...counted(cold, 'gain.cold'),
      ...counted(volumes, 'gain.volumes'),
      ...counted(others, 'gain.others'),
      ...counted((effects?.length ?? 0) + lost, 'gain.sideEffects'),
      ...(memory === null || memory === 0 ? [] : [gibText(memory)]),
      ...(duration.seconds.high > 0 && !hasEnded(state) ? [durationPhrase(duration.seconds, duration)] : []),
    ],
    undo: rollback === null ? [] : [undoing[rollback] ? text(undoing[rollback]) : rollback],
  };
}

type Improvement = NonNullable<PlanHeadlineData['improvements']>[number];

/** Named improvements of a plan whose goal has no measured quantity. */
const mostImprovements = 2;

/** A better quantity: of the fullest host, or its deviation, such as `CPU load: fullest host 92 % → 61 %`. */
function improvementText({ quantity, deviation, highest_before: highest, fullest }: Improvement): string {
  const change = (key: 'gain.fullest' | 'gain.deviation', before: number, after: number) => {
    const [from, to] = [wholePercent(before), wholePercent(after)];
    return after < before && from !== to ? [text(key, { before: from, after: to })] : [];
  };
  const [first = ''] = [
    ...change('gain.fullest', highest, fullest.after),
    ...change('gain.deviation', deviation.before, deviation.after),
  ];
  return text('gain.improved', { quantity: text(`quantity.${quantity}`), change: first });
}

/** The reached part of the possible gain. Empty for strategies that do not search, and for plans that only repair. */
function shareOfGain({ gap, indicators }: Pick<PlanHeadlineData, 'gap' | 'indicators'>): string[] {
  const share = gap === null ? gainedShare(indicators) : 1 - gap;
  if (share === undefined || share < 0) return [];
  return [share >= 0.995 ? text('gain.best') : minimumShareText(share)];
}

/** A lower bound of the possible gain. It is never rounded up: 94.6 % are at least 94 %. */
export function minimumShareText(share: number): string {
  // A tiny part more than binary fractions lose: 0.29 * 100 is 28.999999999999996.
  return text('gain.share', { share: wholePercent(Math.floor(share * 100 + 1e-9)) });
}

/** Gains of a plan by its indicators, such as `Deviation of load across hosts 33.2 % → 12.0 %`. */
export function gainedQuantities(indicators: PlanHeadlineData['indicators'], strategy: string | null): string[] {
  const known = withUnits(indicators, strategy);
  const find = (name: string) => known.find((indicator) => indicator.name === name);
  return quantitiesOf(strategy).flatMap(({ title, before, after }) => {
    const [from, to] = [find(before), find(after)];
    if (from?.value === null || from?.value === undefined || to?.value === null || to?.value === undefined) return [];
    return [
      `${indicatorTitle(title)} ${indicatorText(before, from.value, from.unit)} → ${indicatorText(after, to.value, to.unit)}`,
    ];
  });
}
