import type { PointerEvent } from 'react';
import { type PlanDrawing, stepSize } from './graph-layout.ts';
import type { GraphView } from './use-graph-view.ts';

const size = { width: 180, height: 120 } as const;
/** Pixels of the drawing that may be hidden without a map: its margin and rounding by the browser. */
const margin = 8;

interface MinimapProps {
  drawing: PlanDrawing;
  view: GraphView;
  /** Class of a box, which gives it its colour. */
  classOf: (uuid: string) => string;
}

/**
 * The whole drawing in small, with the visible part marked. A click scrolls there. Keyboard users move from box to box
 * instead.
 */
export function GraphMinimap({ drawing, view, classOf }: MinimapProps) {
  const { shown } = view;
  if (shown.width + margin >= drawing.width && shown.height + margin >= drawing.height) return null;
  const scale = Math.min(size.width / drawing.width, size.height / drawing.height);
  const go = (event: PointerEvent<SVGSVGElement>) => {
    if (event.buttons === 0) return;
    const { left, top } = event.currentTarget.getBoundingClientRect();
    view.goTo((event.clientX - left) / scale, (event.clientY - top) / scale);
  };
  return (
    <svg
      className="vigil-minimap"
      data-testid="minimap"
      aria-hidden="true"
      width={drawing.width * scale}
      height={drawing.height * scale}
      viewBox={`0 0 ${drawing.width} ${drawing.height}`}
      onPointerDown={go}
      onPointerMove={go}
    >
      {drawing.steps.map(({ uuid, x, y }) => (
        <rect key={uuid} x={x} y={y} width={stepSize.width} height={stepSize.height} className={classOf(uuid)} />
      ))}
      <rect x={shown.x} y={shown.y} width={shown.width} height={shown.height} className="vigil-minimap-shown" />
    </svg>
  );
}
