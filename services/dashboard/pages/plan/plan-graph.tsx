import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ArrowHead } from '../../components/arrow-head.tsx';
import { useWidth } from '../../components/host-map/use-width.ts';
import type { LiveKinds } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { type GraphBox, groupActions, maxBoxes, singleBoxes, statesOf } from './graph-groups.ts';
import { layoutPlan, smallestScale, stepSize } from './graph-layout.ts';
import { GraphMinimap } from './graph-minimap.tsx';
import { ActionStep, GroupStep } from './graph-step.tsx';
import { GraphToolbar } from './graph-toolbar.tsx';
import { nextStep } from './next-step.ts';
import { useGraphView } from './use-graph-view.ts';

type Action = LiveKinds['action'];

/** From this number on, actions are drawn in groups, unless the user expands them. */
const groupedFrom = 60;

interface PlanGraphProps {
  actions: readonly Action[];
  chosen: string | null;
  onChoose: (uuid: string) => void;
}

/** The actions of a plan and their dependencies. Many similar actions are one box. Colours follow the states. */
export function PlanGraph({ actions, chosen, onChoose }: PlanGraphProps) {
  const [wish, setWish] = useState<boolean | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const mayBeSingle = actions.length <= maxBoxes;
  const isGrouped = !mayBeSingle || (wish ?? actions.length > groupedFrom);
  const boxes = isGrouped ? groupActions(actions, open) : singleBoxes(actions);
  const shape = boxes.map(({ uuid, parents }) => `${uuid}:${parents.join()}`).join(' ');
  const box = useRef<HTMLElement>(null);
  const room = useWidth(box) ?? 800;
  // The layout changes only with the shape or the window, not with every state.
  const drawing = useMemo(() => layoutPlan(boxes, room), [shape, room]);
  const view = useGraphView(box, drawing, Math.min(1, Math.max(smallestScale, room / Math.max(1, drawing.width))));
  // Tab reaches one step, the arrow keys the others from it.
  const [entered, setEntered] = useState<string | null>(chosen);
  useLayoutEffect(() => {
    const top = drawing.steps.toSorted((left, right) => left.y - right.y || left.x - right.x)[0];
    if (top && box.current) box.current.scrollLeft = Math.max(0, top.x * smallestScale - stepSize.width / 2);
  }, [drawing]);
  const entry = (drawing.steps.find(({ uuid }) => uuid === entered) ?? drawing.steps[0])?.uuid;
  const onKeyDown = (event: KeyboardEvent<SVGElement>) => {
    const from = (event.target as Element).getAttribute('data-action') ?? '';
    const next = nextStep(drawing.steps, from, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setEntered(next);
    stepElement(event.currentTarget, next)?.focus();
  };
  const byUuid = new Map(boxes.map((known) => [known.uuid, known]));
  const choose = (known: GraphBox) => {
    if (known.kind === 'group') {
      setOpen(new Set([...open, known.uuid]));
      const first = known.actions[0]?.uuid ?? '';
      setEntered(first);
      // The box with the focus was removed.
      requestAnimationFrame(() => box.current && stepElement(box.current, first)?.focus());
    } else {
      setEntered(known.uuid);
      onChoose(known.uuid);
    }
  };
  const stateOf = (uuid: string) => boxState(byUuid.get(uuid)).toLowerCase();
  return (
    <>
      <GraphToolbar
        view={view}
        isGrouped={isGrouped}
        onGrouped={mayBeSingle ? setWish : undefined}
        onClose={isGrouped && open.size > 0 ? () => setOpen(new Set()) : undefined}
      />
      <div className="vigil-graph-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section ref={box} className="vigil-graph" aria-label={text('graph.label')} tabIndex={0}>
          <svg
            viewBox={`0 0 ${drawing.width} ${drawing.height}`}
            width={drawing.width * view.scale}
            height={drawing.height * view.scale}
            onKeyDown={onKeyDown}
          >
            <title>{text('graph.title', { count: actions.length })}</title>
            <ArrowHead id="arrow" />
            {drawing.arrows.map((arrow) => (
              <path
                key={`${arrow.from}-${arrow.to}`}
                d={arrow.path}
                className={`vigil-arrow vigil-arrow-${stateOf(arrow.from)}`}
                markerEnd="url(#arrow)"
              />
            ))}
            {drawing.steps.map(({ uuid, x, y }) => {
              const known = byUuid.get(uuid);
              if (!known) return null;
              const place = { x, y, isChosen: chosen === uuid, isEntry: entry === uuid, onChoose: () => choose(known) };
              return known.kind === 'group' ? (
                <GroupStep key={uuid} group={known} {...place} />
              ) : (
                <ActionStep key={uuid} action={known.action} {...place} />
              );
            })}
          </svg>
        </section>
        <GraphMinimap drawing={drawing} view={view} classOf={(uuid) => `vigil-minimap-${stateOf(uuid)}`} />
      </div>
    </>
  );
}

/** The state that determines the colour of a box. */
function boxState(box: GraphBox | undefined): string {
  if (!box) return '';
  return box.kind === 'action' ? box.action.state : (statesOf(box)[0]?.[0] ?? '');
}

/** The drawn step of an action within `part`. */
export function stepElement(part: ParentNode, uuid: string): SVGElement | null {
  return part.querySelector<SVGElement>(`[data-action="${CSS.escape(uuid)}"]`);
}
