import { type KeyboardEvent, memo } from 'react';
import { useNavigate } from 'react-router';
import { heatClass } from '../../components/heat.ts';
import type { MapView } from './map-controls.tsx';
import { type MapHost, shareAt } from './map-hosts.ts';
import { lettersOf, type MapLayout, type Place, shortName } from './map-layout.ts';

interface MapCellsProps {
  hosts: readonly MapHost[];
  layout: MapLayout;
  /** Shares that are the two ends of the colours. */
  ends: { from: number; to: number };
  moment: MapView['moment'];
}

/** The hosts, and the names of their groups. */
export function MapCells({ hosts, layout, ends, moment }: MapCellsProps) {
  const { cell, places, titles } = layout;
  const letters = lettersOf(cell.width);
  const first = hosts[0]?.hostname;
  return (
    <>
      {titles.map(({ title, x, y }) => (
        <h3 key={title} className="vigil-map-title" style={{ insetInlineStart: x, insetBlockStart: y }}>
          {title}
        </h3>
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go from one of its buttons to another */}
      <div onKeyDown={goToNearest}>
        {hosts.map((host) => {
          const share = moment === 'so far' ? host.soFar : shareAt(host, moment);
          return (
            <Cell
              key={host.hostname}
              hostname={host.hostname}
              place={places.get(host.hostname) ?? nowhere}
              width={cell.width}
              height={cell.height}
              text={letters > 0 ? shortName(host.hostname, letters) : ''}
              heat={heatClass(share === null ? null : (100 * (share - ends.from)) / (ends.to - ends.from))}
              share={share === null ? 'not known' : `${share.toFixed(0)}\u00a0%`}
              change={changeText(host)}
              isTouched={host.isTouched}
              isFirst={host.hostname === first}
            />
          );
        })}
      </div>
    </>
  );
}

const nowhere: Place = { x: 0, y: 0 };

function changeText({ before, after, isTouched }: MapHost): string {
  if (!isTouched) return 'the plan leaves it as it is';
  const text = (share: number | null) => (share === null ? 'not known' : `${share.toFixed(0)}\u00a0%`);
  return `${text(before)} before, ${text(after)} after`;
}

interface CellProps {
  hostname: string;
  place: Place;
  width: number;
  height: number;
  /** Its name, as far as that fits; empty: none. */
  text: string;
  heat: string;
  share: string;
  change: string;
  isTouched: boolean;
  isFirst: boolean;
}

/** One host; drawn anew only when something about it changes, so that a thousand of them follow the slider. */
const Cell = memo(function Cell({ hostname, place, width, height, text, heat, share, change, ...host }: CellProps) {
  const navigate = useNavigate();
  const title = `${hostname} ${share} allocated (${change})`;
  return (
    <button
      type="button"
      tabIndex={host.isFirst ? 0 : -1}
      title={title}
      // What is written on it is its name; the title says the rest.
      aria-label={text === '' ? title : undefined}
      className={`vigil-map-cell ${heat}${host.isTouched ? ' vigil-map-touched' : ''}`}
      style={{ insetInlineStart: place.x, insetBlockStart: place.y, width, height }}
      onClick={() => void navigate(`/cluster/hosts/${encodeURIComponent(hostname)}`)}
    >
      {text !== '' && (
        <>
          <span className="vigil-map-name">{text}</span>{' '}
          {height > 30 && <span className="vigil-map-name">{share}</span>}
        </>
      )}
    </button>
  );
});

/** The arrow keys go to the nearest host in their direction, Home and End to the first and the last. */
function goToNearest(event: KeyboardEvent<HTMLDivElement>): void {
  const cells = [...event.currentTarget.querySelectorAll('button')];
  const here = document.activeElement;
  if (!(here instanceof HTMLButtonElement)) return;
  const target = event.key === 'Home' ? cells[0] : event.key === 'End' ? cells.at(-1) : nearest(cells, here, event.key);
  if (!target) return;
  event.preventDefault();
  target.focus();
}

const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

function nearest(cells: readonly HTMLButtonElement[], here: HTMLButtonElement, key: string): HTMLButtonElement | null {
  const [right, down] = directions[key] ?? [0, 0];
  let best: HTMLButtonElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const cell of right === 0 && down === 0 ? [] : cells) {
    const [x, y] = [cell.offsetLeft - here.offsetLeft, cell.offsetTop - here.offsetTop];
    const along = x * right + y * down;
    if (along <= 0) continue;
    const distance = along + 3 * (Math.abs(x * down) + Math.abs(y * right));
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}
