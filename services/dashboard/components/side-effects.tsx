import type { PlanRowDetail } from '../api/list-types.ts';
import { richText } from '../texts/rich-text.tsx';
import { sentenceOf, text } from '../texts/texts.ts';
import { lostReserves } from './headline-parts.ts';
import { HostLink } from './links.tsx';
import { wholePercent } from './number-text.ts';
import { Alert } from './worded-parts.tsx';

type Effects = Pick<PlanRowDetail['plan']['headline'], 'side_effects' | 'reserve_changes'>;

/**
 * Quantities that a plan makes worse, each with the host that becomes the fullest, and the failure domains that lose
 * their reserve. Nothing where it has none.
 */
export function SideEffects({ of }: { of: Effects }) {
  const effects = of.side_effects ?? [];
  const lost = lostReserves(of);
  if (effects.length + lost.length === 0) return null;
  return (
    <Alert isInline variant="warning" title={text('sideEffects.title')} data-testid="side-effects">
      <ul>
        {effects.map(({ quantity, deviation, highest_before: highest, fullest }) => (
          <li key={quantity}>
            <strong>{text(`quantity.${quantity}`)}</strong>
            {fullest.after > highest && (
              <>
                {' · '}
                {richText('sideEffects.fullest', {
                  host: <HostLink hostname={fullest.hostname} />,
                  before: wholePercent(fullest.before),
                  after: wholePercent(fullest.after),
                })}
              </>
            )}
            {deviation.after > deviation.before && (
              <>
                {' · '}
                {text('sideEffects.deviation', {
                  before: wholePercent(deviation.before),
                  after: wholePercent(deviation.after),
                })}
              </>
            )}
          </li>
        ))}
        {lost.map(({ domain }) => (
          <li key={domain}>
            {richText('sideEffects.reserveLost', { domain: <strong>{sentenceOf(domain) ?? domain}</strong> })}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
