/** Position in pixels. */
export interface Place {
  x: number;
  y: number;
}

/** A map of hosts in groups. */
export interface MapLayout {
  cell: { width: number; height: number };
  titles: readonly ({ title: string } & Place)[];
  /** By host name: the upper left corner. */
  places: ReadonlyMap<string, Place>;
  height: number;
}

const gap = 3;
const titleHeight = 26;
const groupGap = 12;

/** Size of a host, by how many there are: names are written where they fit. */
export function cellSizeOf(count: number): { width: number; height: number } {
  if (count <= 60) return { width: 104, height: 40 };
  if (count <= 200) return { width: 64, height: 28 };
  if (count <= 500) return { width: 26, height: 22 };
  if (count <= 1500) return { width: 18, height: 18 };
  return count <= 3000 ? { width: 13, height: 13 } : { width: 10, height: 10 };
}

/** Letters of a name that fit into a cell. 0: no names. */
export function lettersOf(width: number): number {
  return width < 60 ? 0 : Math.floor((width - 8) / 7);
}

/** Names of hosts differ at their ends. */
export function shortName(name: string, letters: number): string {
  return name.length <= letters ? name : `…${name.slice(1 - letters)}`;
}

/** Stacks the groups, and arranges the hosts of each in rows. */
export function layoutMap(
  groups: readonly { title: string; hosts: readonly { hostname: string }[] }[],
  width: number,
): MapLayout {
  const cell = cellSizeOf(groups.reduce((sum, { hosts }) => sum + hosts.length, 0));
  const columns = Math.max(1, Math.floor((width + gap) / (cell.width + gap)));
  const places = new Map<string, Place>();
  const titles: ({ title: string } & Place)[] = [];
  let y = 0;
  for (const { title, hosts } of groups) {
    if (title !== '') {
      titles.push({ title, x: 0, y });
      y += titleHeight;
    }
    hosts.forEach(({ hostname }, at) => {
      const row = Math.floor(at / columns);
      places.set(hostname, { x: (at % columns) * (cell.width + gap), y: y + row * (cell.height + gap) });
    });
    y += Math.ceil(hosts.length / columns) * (cell.height + gap) + groupGap;
  }
  return { cell, titles, places, height: Math.max(0, y - groupGap) };
}
