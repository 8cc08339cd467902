import { Fragment } from 'react';
import type { PlanMeasurement } from '#libs/client';
import { richText } from '../texts/rich-text.tsx';
import { sentenceOf, text } from '../texts/texts.ts';
import { PlanLink } from './links.tsx';
import { Time } from './time.tsx';

interface EffectProps {
  measurement: PlanMeasurement | null | undefined;
  /** Whether the plan no longer changes anything. Without a stored measurement its effect is then never known. */
  hasEnded?: boolean;
}

/** Whether the effect of a plan was measured. Otherwise the reason or the overlapping plans. */
export function Effect({ measurement, hasEnded = false }: EffectProps) {
  const { state, reason, overlaps = [], due_at: dueAt } = measurement ?? {};
  switch (state) {
    case 'MEASURING':
      return <>{text('effect.measuring')}</>;
    case 'PENDING':
      if (dueAt) return <>{richText('effect.due', { time: <Time at={dueAt} /> })}</>;
      return <>{text(hasEnded ? 'effect.soon' : 'effect.pending')}</>;
    case 'ACHIEVED':
      return <>{text('effect.measured')}</>;
    case 'NOT_MEASURED':
      return <>{text('effect.notMeasured', { reason: reason ? (sentenceOf(reason) ?? reason) : '–' })}</>;
    case 'NOT_ATTRIBUTABLE':
      return <>{richText('effect.notAttributable', { plans: <PlanLinks uuids={overlaps} /> })}</>;
    default:
      return <>{text(hasEnded ? 'effect.notStored' : 'effect.notYet')}</>;
  }
}

function PlanLinks({ uuids }: { uuids: readonly string[] }) {
  return uuids.map((uuid, at) => (
    <Fragment key={uuid}>
      {at > 0 && ', '}
      <PlanLink uuid={uuid} />
    </Fragment>
  ));
}
