import type { RunReport } from '#libs/client';
import { text } from '../texts/texts.ts';
import { roundedText } from './number-text.ts';
import { termTitle, termUnit } from './term-words.ts';

type Term = NonNullable<RunReport['objective']>[number];

/** The terms of an objective as bars: today, after the plan, and the lower bound of all plans. */
export function ObjectiveBars({ objective }: { objective: readonly Term[] }) {
  return (
    <div className="vigil-stack">
      {objective.map((term) => (
        <TermBars key={term.term} term={term} />
      ))}
    </div>
  );
}

function TermBars({ term: { term, unit, before, after, bound } }: { term: Term }) {
  const most = Math.max(before, after, bound ?? 0, Number.MIN_VALUE);
  const bars = [
    { name: text('report.today'), value: before, kind: 'today' },
    { name: text('report.after'), value: after, kind: 'after' },
    ...(bound === null ? [] : [{ name: text('report.bound'), value: bound, kind: 'bound' }]),
  ];
  return (
    <div>
      <h3>{termTitle(term)}</h3>
      <dl className="vigil-bars">
        {bars.map(({ name, value, kind }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect className={`vigil-bar-${kind}`} width={(value / most) * 100} height={4} />
              </svg>
              {`${roundedText(value, 2)}\u00a0${termUnit(unit, value)}`}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
