import { Graph, layout } from '@dagrejs/dagre';
import { edgePath } from '../../components/edge-path.ts';

/** Fields of an action for the layout. */
interface Step {
  uuid: string;
  parents: readonly string[];
}

/** Position of a step. `x` and `y` are its upper left corner, in pixels. */
export interface PlacedStep {
  uuid: string;
  x: number;
  y: number;
}

/** A drawing of actions and their dependencies. */
export interface PlanDrawing {
  width: number;
  height: number;
  steps: PlacedStep[];
  /** SVG path of each arrow. */
  arrows: { from: string; to: string; path: string }[];
}

/** Size of a step in pixels. */
export const stepSize = { width: 190, height: 60 } as const;
/** Smallest scale of a drawing that fits the window: smaller ones are unreadable. A larger drawing scrolls. */
export const smallestScale = 0.85;
const gap = 14;

/**
 * Places steps after their dependencies, from left to right, or downwards if that is narrower and `room` (in pixels) is
 * too small. Steps without edges fill a grid below.
 */
export function layoutPlan(steps: readonly Step[], room: number): PlanDrawing {
  const known = new Set(steps.map((step) => step.uuid));
  const isParent = new Set(steps.flatMap((step) => step.parents));
  const isConnected = (step: Step) => step.parents.some((uuid) => known.has(uuid)) || isParent.has(step.uuid);
  const connected = steps.filter(isConnected);
  const drawing =
    connected.length > 0 ? narrowest(connected, known, room) : { width: 0, height: 0, steps: [], arrows: [] };
  const columns = Math.max(1, Math.floor((room / smallestScale - gap) / (stepSize.width + gap)));
  const top = drawing.height === 0 ? gap : drawing.height + gap;
  steps
    .filter((step) => !isConnected(step))
    .forEach((step, index) => {
      const x = gap + (index % columns) * (stepSize.width + gap);
      const y = top + Math.floor(index / columns) * (stepSize.height + gap);
      drawing.steps.push({ uuid: step.uuid, x, y });
      drawing.width = Math.max(drawing.width, x + stepSize.width + gap);
      drawing.height = Math.max(drawing.height, y + stepSize.height + gap);
    });
  return drawing;
}

function narrowest(steps: readonly Step[], known: ReadonlySet<string>, room: number): PlanDrawing {
  const across = layoutGraph(steps, known, 'LR');
  if (across.width * smallestScale <= room) return across;
  const downwards = layoutGraph(steps, known, 'TB');
  return downwards.width < across.width ? downwards : across;
}

function layoutGraph(steps: readonly Step[], known: ReadonlySet<string>, rankdir: 'LR' | 'TB'): PlanDrawing {
  const graph = new Graph();
  graph.setGraph({ rankdir, nodesep: gap, ranksep: rankdir === 'LR' ? 48 : 32, marginx: gap, marginy: gap });
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
      const { points } = graph.edge(v, w) as { points: { x: number; y: number }[] };
      return { from: v, to: w, path: edgePath({ from: graph.node(v), to: graph.node(w), points }, stepSize, rankdir) };
    }),
  };
}
