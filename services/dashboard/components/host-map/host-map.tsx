import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
} from 'react';
import { useNavigate } from 'react-router';
import { text } from '../../texts/texts.ts';
import { wholePercent } from '../number-text.ts';
import { type GroupedHost, type Grouping, groupsOf } from './host-groups.ts';
import './host-map.css';
import { layoutMap, lettersOf, type MapLayout, type Place, shortName } from './map-layout.ts';
import { heatClass, isOutlier, type ShareEnds } from './scale-of.ts';
import { useWidth } from './use-width.ts';

/**
 * Lays out hosts and their groups in the width of the element that has the returned `box` as its ref. The height is
 * known with the width. The places follow in a later render: a thousand hosts are rendered in parts, between which
 * the page responds.
 */
export function useMapLayout(
  hosts: readonly GroupedHost[],
  grouping: Grouping,
): { box: RefObject<HTMLDivElement | null>; layout: MapLayout } {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const latest = useMemo(
    () => (width === null ? layoutMap([], 0) : layoutMap(groupsOf(hosts, grouping), width)),
    [hosts, grouping, width],
  );
  const drawn = useDeferredValue(latest);
  const layout = useMemo(() => ({ ...drawn, height: latest.height }), [drawn, latest]);
  return { box, layout };
}

interface HostMapProps<Host extends GroupedHost> {
  hosts: readonly Host[];
  box: RefObject<HTMLDivElement | null>;
  layout: MapLayout;
  ends: ShareEnds;
  /** Allocated or used share of a host in percent. Null: unknown. */
  shareOf: (host: Host) => number | null;
  /** Full description of a host, its name first. `share` is its share in words. */
  titleOf: (host: Host, share: string) => string;
  /** Class of a host that differs from the others. */
  classOf: (host: Host) => string;
  /** Opens a host. Default: its page. */
  onOpen?: ((hostname: string) => void) | undefined;
  /** Drawn above the hosts. */
  children?: ReactNode;
}

/** A box for every host in groups, coloured by its share. Names appear where they fit. A click opens the host. */
export function HostMap<Host extends GroupedHost>(props: HostMapProps<Host>) {
  const { hosts, box, layout, ends, shareOf, titleOf, classOf, onOpen, children } = props;
  const { cell, places, titles } = layout;
  const letters = lettersOf(cell.width);
  const first = hosts[0]?.hostname;
  const navigate = useNavigate();
  const openPage = useCallback(
    (hostname: string) => void navigate(`/cluster/hosts/${encodeURIComponent(hostname)}`),
    [navigate],
  );
  return (
    <div ref={box}>
      <div className="vigil-map" style={{ height: layout.height }}>
        {titles.map(({ title, x, y }) => (
          <h3
            key={title}
            className="vigil-map-title"
            data-testid="map-group"
            style={{ insetInlineStart: x, insetBlockStart: y }}
          >
            {title}
          </h3>
        ))}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go from one of its buttons to another */}
        <div onKeyDown={goToNearest}>
          {hosts.map((host) => {
            const place = places.get(host.hostname);
            if (!place) return null;
            const value = shareOf(host);
            const share = value === null ? text('map.unknown') : wholePercent(value);
            return (
              <Cell
                key={host.hostname}
                hostname={host.hostname}
                place={place}
                width={cell.width}
                height={cell.height}
                name={letters > 0 ? shortName(host.hostname, letters) : ''}
                share={share}
                title={titleOf(host, share)}
                className={`${heatOf(value, ends)} ${classOf(host)}`}
                isFirst={host.hostname === first}
                onOpen={onOpen ?? openPage}
              />
            );
          })}
        </div>
        {children}
      </div>
    </div>
  );
}

/** Classes for the colour of a share, and for one beyond the colours. */
function heatOf(share: number | null, ends: ShareEnds): string {
  if (share === null) return heatClass(null);
  const heat = heatClass((100 * (share - ends.from)) / (ends.to - ends.from));
  return isOutlier(share, ends) ? `${heat} vigil-map-outlier` : heat;
}

/** The padding of names would widen small boxes. */
const noPadding = { padding: 0 };

interface CellProps {
  hostname: string;
  place: Place;
  width: number;
  height: number;
  /** Its name, shortened to fit. Empty: none. */
  name: string;
  share: string;
  title: string;
  className: string;
  isFirst: boolean;
  onOpen: (hostname: string) => void;
}

/** One host. It renders only if one of its values changes, so that a thousand of them follow a slider. */
const Cell = memo(function Cell(props: CellProps) {
  const { hostname, place, width, height, name, share, title, className, isFirst, onOpen } = props;
  return (
    <button
      type="button"
      data-testid="map-host"
      data-host={hostname}
      tabIndex={isFirst ? 0 : -1}
      title={title}
      // The box shows the name. The title has the rest.
      aria-label={name === '' ? title : undefined}
      className={`vigil-map-cell ${className}`}
      style={{ insetInlineStart: place.x, insetBlockStart: place.y, width, height, ...(name === '' && noPadding) }}
      onClick={() => onOpen(hostname)}
    >
      {name !== '' && (
        <>
          <span className="vigil-map-name">{name}</span>{' '}
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
