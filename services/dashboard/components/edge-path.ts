interface Point {
  x: number;
  y: number;
}

interface Edge {
  /** Centres of the boxes. */
  from: Point;
  to: Point;
  /** The route of the layout, including its ends. */
  points: readonly Point[];
}

/**
 * SVG path of an edge: from the middle of a box's right side to the middle of another's left side, or with `TB` from
 * the lower to the upper one, so that it does not run behind boxes beside them. It bends only between the ranks of the
 * layout.
 */
export function edgePath(edge: Edge, box: { width: number; height: number }, rankdir: 'LR' | 'TB'): string {
  const isAcross = rankdir === 'LR';
  const half = isAcross ? { x: box.width / 2, y: 0 } : { x: 0, y: box.height / 2 };
  // Three points: a neighbour, whose middle point is only a bend.
  const between = edge.points.length > 3 ? edge.points.slice(1, -1) : [];
  const way = [plus(edge.from, half, 1), ...between, plus(edge.to, half, -1)];
  return way.map((point, index) => (index === 0 ? `M${at(point)}` : bend(way[index - 1] ?? point, point))).join(' ');

  function bend(last: Point, next: Point): string {
    const middle = { x: (last.x + next.x) / 2, y: (last.y + next.y) / 2 };
    const [leave, reach] = isAcross
      ? [
          { x: middle.x, y: last.y },
          { x: middle.x, y: next.y },
        ]
      : [
          { x: last.x, y: middle.y },
          { x: next.x, y: middle.y },
        ];
    return `C${at(leave)} ${at(reach)} ${at(next)}`;
  }
}

function plus(point: Point, step: Point, sign: 1 | -1): Point {
  return { x: point.x + sign * step.x, y: point.y + sign * step.y };
}

const at = ({ x, y }: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
