import { text } from '../texts/texts.ts';
import { type Counted, countsOf, countsText } from './plan-counts.ts';

const parts = ['succeeded', 'failed', 'cancelled', 'skipped', 'running'] as const;

/** A bar with the states of the actions of a plan, each in its colour, and the same in words. */
export function PlanProgress({ plan }: { plan: Counted }) {
  const counts = countsOf(plan);
  if (counts.total === 0) return <>{text('plans.noActions')}</>;
  const words = countsText(counts);
  return (
    <div className="vigil-progress">
      <div
        className="vigil-progress-bar"
        role="progressbar"
        aria-label={text('plans.progress')}
        aria-valuemin={0}
        aria-valuemax={counts.total}
        aria-valuenow={counts.total - counts.running - counts.waiting}
        aria-valuetext={words}
      >
        {parts.map((part) =>
          counts[part] > 0 ? (
            <span
              key={part}
              className={`vigil-progress-part vigil-progress-${part}`}
              style={{ flexGrow: counts[part] / counts.total }}
            />
          ) : null,
        )}
      </div>
      <span className="vigil-progress-text">{words}</span>
    </div>
  );
}
