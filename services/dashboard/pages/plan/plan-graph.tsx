import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ArrowHead } from '../../components/arrow-head.tsx';
import { Nothing } from '../../components/states.tsx';
import type { LiveKinds } from '../../live/live-entities.ts';
import { progressOf, routeOf, subjectOf, typeText } from './action-text.ts';
import { layoutPlan, smallestScale, stepSize } from './graph-layout.ts';
import { nextStep } from './next-step.ts';
import { useWidth } from './use-width.ts';

type Action = LiveKinds['action'];

/** Larger graphs are no longer read by anybody, and take long to place. */
const maxDrawn = 400;
const maxChars = 26;

interface PlanGraphProps {
  actions: readonly Action[];
  chosen: string | null;
  onChoose: (uuid: string) => void;
}

/** The actions of a plan and who waits for whom; colours follow the states as they change. */
export function PlanGraph({ actions, chosen, onChoose }: PlanGraphProps) {
  const shape = actions.map((action) => `${action.uuid}:${action.parents.join()}`).join(' ');
  const box = useRef<HTMLElement>(null);
  const room = useWidth(box);
  // Placed again only when the shape or the window changes, not with every state.
  const drawing = useMemo(() => (actions.length > maxDrawn ? null : layoutPlan(actions, room)), [shape, room]);
  // One step is reached with Tab, the others from it with the arrow keys.
  const [entered, setEntered] = useState<string | null>(chosen);
  useLayoutEffect(() => {
    const top = drawing?.steps.toSorted((left, right) => left.y - right.y || left.x - right.x)[0];
    if (top && box.current) box.current.scrollLeft = Math.max(0, top.x * smallestScale - stepSize.width / 2);
  }, [drawing]);
  if (!drawing)
    return (
      <Nothing title={`${actions.length} actions are too many to draw`}>The table and the timeline show them.</Nothing>
    );
  const entry = (drawing.steps.find(({ uuid }) => uuid === entered) ?? drawing.steps[0])?.uuid;
  const onKeyDown = (event: KeyboardEvent<SVGElement>) => {
    const from = (event.target as Element).getAttribute('data-action') ?? '';
    const next = nextStep(drawing.steps, from, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setEntered(next);
    stepElement(event.currentTarget, next)?.focus();
  };
  const byUuid = new Map(actions.map((action) => [action.uuid, action]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className="vigil-graph" aria-label="Actions and who waits for whom" tabIndex={0}>
      <svg
        viewBox={`0 0 ${drawing.width} ${drawing.height}`}
        style={{ minWidth: drawing.width * smallestScale, maxWidth: drawing.width }}
        onKeyDown={onKeyDown}
      >
        <title>{`${actions.length} actions`}</title>
        <ArrowHead id="arrow" />
        {drawing.arrows.map((arrow) => (
          <path
            key={`${arrow.from}-${arrow.to}`}
            d={arrow.path}
            className={`vigil-arrow vigil-arrow-${(byUuid.get(arrow.from)?.state ?? '').toLowerCase()}`}
            markerEnd="url(#arrow)"
          />
        ))}
        {drawing.steps.map((step) => {
          const action = byUuid.get(step.uuid);
          return (
            action && (
              <Step
                key={step.uuid}
                action={action}
                x={step.x}
                y={step.y}
                isChosen={chosen === step.uuid}
                isEntry={entry === step.uuid}
                onChoose={(uuid) => {
                  setEntered(uuid);
                  onChoose(uuid);
                }}
              />
            )
          );
        })}
      </svg>
    </section>
  );
}

interface StepProps {
  action: Action;
  x: number;
  y: number;
  isChosen: boolean;
  /** Whether Tab goes to it. */
  isEntry: boolean;
  onChoose: (uuid: string) => void;
}

function Step({ action, x, y, isChosen, isEntry, onChoose }: StepProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose(action.uuid);
  };
  const title = `${typeText(action.action_type)} ${subjectOf(action)}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: there are no buttons in SVG
    <g
      role="button"
      tabIndex={isEntry ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={spokenText(action)}
      data-action={action.uuid}
      transform={`translate(${x} ${y})`}
      className={`vigil-step vigil-step-${action.state.toLowerCase()}${isChosen ? ' vigil-step-chosen' : ''}`}
      data-state={action.state}
      onClick={() => onChoose(action.uuid)}
      onKeyDown={onKeyDown}
    >
      <rect width={stepSize.width} height={stepSize.height} rx="6" />
      {/* The spaces keep the words apart for those who do not see the lines. */}
      <text x="10" y="18" className="vigil-step-title">
        {`${cut(title)} `}
      </text>
      <text x="10" y="35" className="vigil-step-detail">
        {`${cut(routeOf(action))} `}
      </text>
      {/* In words too: not everybody tells the colours apart. */}
      <text x="10" y="51" className="vigil-step-state">
        {`${action.state} ${progressOf(action)}`}
      </text>
      {action.state === 'ONGOING' && action.progress !== undefined && (
        <rect
          y={stepSize.height - 4}
          width={Math.max(4, stepSize.width * Math.min(1, action.progress))}
          height="4"
          rx="2"
          className="vigil-step-progress"
        />
      )}
    </g>
  );
}

/** All that the box and its arrows show, beginning with the words in the box, as people who speak to their browser say them. */
function spokenText(action: Action): string {
  const waits = action.parents.length;
  return [
    `${typeText(action.action_type)} ${subjectOf(action)}`,
    routeOf(action),
    action.state,
    progressOf(action),
    waits > 0 && `waits for ${waits}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The drawn step of an action within `part`. */
export function stepElement(part: ParentNode, uuid: string): SVGElement | null {
  return part.querySelector<SVGElement>(`[data-action="${CSS.escape(uuid)}"]`);
}

function cut(text: string): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
}
