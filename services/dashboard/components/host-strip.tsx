import type { PlanRowDetail } from '../api/list-types.ts';
import { heatClass } from './heat.ts';

/** Hosts that are drawn; more are told by their number. */
const most = 60;

/** The hosts of a plan as two rows of squares: how full before, and after. */
export function HostStrip({ hosts }: { hosts: PlanRowDetail['hosts'] }) {
  if (hosts.length === 0) return null;
  const shown = [...hosts].sort((left, right) => right.before - left.before).slice(0, most);
  const left = hosts.length - shown.length;
  return (
    <figure className="vigil-strip">
      {(['before', 'after'] as const).map((moment) => (
        <div key={moment}>
          <span className="vigil-strip-name">{moment === 'before' ? 'Before' : 'After'}</span>
          <span
            role="img"
            aria-label={`Allocation of the hosts ${moment}: ${spoken(shown.map((host) => host[moment]))}`}
            className="vigil-strip-cells"
          >
            {shown.map((host) => (
              <span
                key={host.hostname}
                title={`${host.hostname}: ${host[moment].toFixed(0)} % allocated`}
                className={`vigil-cell ${heatClass(host[moment])}`}
              />
            ))}
          </span>
        </div>
      ))}
      <figcaption className="vigil-subtle">
        Allocation of the hosts that the plan touches{left > 0 && `, and ${left} more`}: blue is empty, red is full.
      </figcaption>
    </figure>
  );
}

function spoken(shares: readonly number[]): string {
  return `${Math.min(...shares).toFixed(0)} to ${Math.max(...shares).toFixed(0)} %`;
}
