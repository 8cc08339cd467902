import { Graph, layout } from '@dagrejs/dagre';

/** What the layout needs to know of an action. */
interface Step {
  uuid: string;
  parents: readonly string[];
}

/** Where a step is drawn; `x` and `y` are its upper left corner, in pixels. */
export interface PlacedStep {
  uuid: string;
  x: number;
  y: number;
}

/** A drawing of who waits for whom. */
export interface PlanDrawing {
  width: number;
  height: number;
  steps: PlacedStep[];
  /** SVG path of each arrow. */
  arrows: { from: string; to: string; path: string }[];
}

/** Size of a step in pixels. */
export const stepSize = { width: 190, height: 44 } as const;
const columns = 5;
const gap = 14;

/** Places steps from left to right, each after those it waits for; steps that nothing connects fill a grid below. */
export function layoutPlan(steps: readonly Step[]): PlanDrawing {
  const known = new Set(steps.map((step) => step.uuid));
  const isParent = new Set(steps.flatMap((step) => step.parents));
  const connected = steps.filter((step) => step.parents.some((uuid) => known.has(uuid)) || isParent.has(step.uuid));
  const alone = steps.filter((step) => !connected.includes(step));
  const drawing = connected.length > 0 ? layoutGraph(connected, known) : { width: 0, height: 0, steps: [], arrows: [] };
  const top = drawing.height === 0 ? gap : drawing.height + gap;
  alone.forEach((step, index) => {
    const x = gap + (index % columns) * (stepSize.width + gap);
    const y = top + Math.floor(index / columns) * (stepSize.height + gap);
    drawing.steps.push({ uuid: step.uuid, x, y });
    drawing.width = Math.max(drawing.width, x + stepSize.width + gap);
    drawing.height = Math.max(drawing.height, y + stepSize.height + gap);
  });
  return drawing;
}

function layoutGraph(steps: readonly Step[], known: ReadonlySet<string>): PlanDrawing {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: gap, ranksep: 48, marginx: gap, marginy: gap });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const step of steps) graph.setNode(step.uuid, { ...stepSize });
  for (const step of steps) for (const parent of step.parents) if (known.has(parent)) graph.setEdge(parent, step.uuid);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    steps: steps.map(({ uuid }) => {
      const { x, y } = graph.node(uuid);
      return { uuid, x: x - stepSize.width / 2, y: y - stepSize.height / 2 };
    }),
    arrows: graph.edges().map(({ v, w }) => {
      const points = graph.edge(v, w).points as { x: number; y: number }[];
      const path = points
        .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
        .join(' ');
      return { from: v, to: w, path };
    }),
  };
}
