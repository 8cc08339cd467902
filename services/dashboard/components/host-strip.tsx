import type { PlanRowDetail } from '../api/list-types.ts';
import { text } from '../texts/texts.ts';
import { heatClass } from './host-map/scale-of.ts';
import { wholePercent } from './number-text.ts';
import { stripQuantity } from './strip-quantity.ts';

/** Largest number of drawn hosts. Others appear as a number. */
const most = 60;

/** The hosts of a plan as two rows of squares: the quantity of its headline before and after. */
export function HostStrip({ row }: { row: PlanRowDetail }) {
  const quantity = stripQuantity(row);
  const hosts = row.hosts.flatMap(({ hostname, shares }) => {
    const share = shares[quantity];
    return share === undefined ? [] : { hostname, ...share };
  });
  if (hosts.length === 0) return null;
  const shown = [...hosts].sort((left, right) => right.before - left.before).slice(0, most);
  const left = hosts.length - shown.length;
  const name = text(`quantity.${quantity}`);
  return (
    <figure className="vigil-strip">
      {(['before', 'after'] as const).map((moment) => (
        <div key={moment}>
          <span className="vigil-strip-name">{text(`strip.${moment}`)}</span>
          <span
            role="img"
            aria-label={text('strip.label', {
              quantity: name,
              moment: text(`strip.${moment}`),
              shares: spoken(shown.map((host) => host[moment])),
            })}
            className="vigil-strip-cells"
          >
            {shown.map((host) => (
              <span
                key={host.hostname}
                title={text('strip.host', { host: host.hostname, quantity: name, share: wholePercent(host[moment]) })}
                className={`vigil-cell ${heatClass(host[moment])}`}
              />
            ))}
          </span>
        </div>
      ))}
      <figcaption className="vigil-subtle">
        {left > 0 ? text('strip.hintMore', { quantity: name, count: left }) : text('strip.hint', { quantity: name })}
      </figcaption>
    </figure>
  );
}

function spoken(shares: readonly number[]): string {
  return text('strip.range', { from: wholePercent(Math.min(...shares)), to: wholePercent(Math.max(...shares)) });
}
