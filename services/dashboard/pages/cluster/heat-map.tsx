import type { KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import type { ClusterHost } from '../../api/cluster-types.ts';
import { heatClass } from '../../components/heat.ts';
import { Nothing } from '../../components/states.tsx';

/** What the colour of a host shows. */
export type HeatMeasure = 'cpu_load' | 'memory_load' | 'vcpus' | 'memory';

const buckets = 10;

/** A value from 0 to 100, or above when allocated beyond the capacity; null when it is not known. */
export function heatOf(host: ClusterHost, measure: HeatMeasure): number | null {
  if (measure === 'cpu_load' || measure === 'memory_load') return host[measure];
  const { used, capacity } = host[measure];
  return capacity > 0 ? (100 * used) / capacity : null;
}

/** A square for every host, coloured by how full or busy it is; the table beside it has the numbers. */
export function HeatMap({ hosts, measure }: { hosts: readonly ClusterHost[]; measure: HeatMeasure }) {
  const navigate = useNavigate();
  if (hosts.length === 0) return <Nothing title="No hosts" />;
  const size = hosts.length > 300 ? 18 : hosts.length > 80 ? 28 : 44;
  return (
    <>
      <ul className={`vigil-heat vigil-heat-${size}`} aria-label="Hosts by load" onKeyDown={moveFocus}>
        {hosts.map((host, index) => {
          const heat = heatOf(host, measure);
          const text = `${host.hostname}: ${heat === null ? 'not measured' : `${heat.toFixed(0)} %`}${host.state === 'down' ? ', down' : ''}${host.status === 'disabled' ? ', disabled' : ''}`;
          return (
            <li key={host.uuid}>
              <button
                type="button"
                tabIndex={index === 0 ? 0 : -1}
                title={text}
                aria-label={text}
                className={`vigil-cell ${heatClass(heat)}${isOut(host) ? ' vigil-cell-out' : ''}`}
                onClick={() => void navigate(`/cluster/hosts/${encodeURIComponent(host.hostname)}`)}
              />
            </li>
          );
        })}
      </ul>
      <p className="vigil-legend" aria-hidden="true">
        0 %
        {Array.from({ length: buckets }, (_unused, index) => (
          <span key={index} className={`vigil-cell vigil-heat-${index}of10`} />
        ))}
        100 %
        {hosts.some((host) => heatOf(host, measure) === null) && (
          <span className="vigil-heat-note">
            <span className="vigil-cell vigil-heat-none" /> not measured
          </span>
        )}
        {hosts.some(isOut) && (
          <span className="vigil-heat-note">
            <span className="vigil-cell vigil-cell-out" /> down or disabled
          </span>
        )}
      </p>
    </>
  );
}

/** Takes no further instances. */
function isOut(host: ClusterHost): boolean {
  return host.status === 'disabled' || host.state === 'down';
}

/** Arrow keys go from host to host, Home and End to the first and the last. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const cells = [...event.currentTarget.querySelectorAll('button')];
  const at = cells.indexOf(document.activeElement as HTMLButtonElement);
  const columns = cells.filter((cell) => cell.offsetTop === cells[0]?.offsetTop).length;
  const targets: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at + columns,
    ArrowUp: at - columns,
    Home: 0,
    End: cells.length - 1,
  };
  const target = cells[targets[event.key] ?? -1];
  if (!target) return;
  event.preventDefault();
  target.focus();
}
