import type { PlanRowDetail } from '../api/list-types.ts';
import { text } from '../texts/texts.ts';
import { heatClass } from './host-map/scale-of.ts';
import { wholePercent } from './number-text.ts';

/** Largest number of drawn hosts. Others appear as a number. */
const most = 60;

/** The hosts of a plan as two rows of squares: allocation before and after. */
export function HostStrip({ hosts }: { hosts: PlanRowDetail['hosts'] }) {
  if (hosts.length === 0) return null;
  const shown = [...hosts].sort((left, right) => right.before - left.before).slice(0, most);
  const left = hosts.length - shown.length;
  return (
    <figure className="vigil-strip">
      {(['before', 'after'] as const).map((moment) => (
        <div key={moment}>
          <span className="vigil-strip-name">{text(`strip.${moment}`)}</span>
          <span
            role="img"
            aria-label={text('strip.label', {
              moment: text(`strip.${moment}`),
              shares: spoken(shown.map((host) => host[moment])),
            })}
            className="vigil-strip-cells"
          >
            {shown.map((host) => (
              <span
                key={host.hostname}
                title={text('strip.host', { host: host.hostname, share: wholePercent(host[moment]) })}
                className={`vigil-cell ${heatClass(host[moment])}`}
              />
            ))}
          </span>
        </div>
      ))}
      <figcaption className="vigil-subtle">
        {left > 0 ? text('strip.hintMore', { count: left }) : text('strip.hint')}
      </figcaption>
    </figure>
  );
}

function spoken(shares: readonly number[]): string {
  return text('strip.range', { from: wholePercent(Math.min(...shares)), to: wholePercent(Math.max(...shares)) });
}
