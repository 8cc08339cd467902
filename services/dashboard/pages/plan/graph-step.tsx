import type { KeyboardEvent, ReactNode } from 'react';
import type { LiveKinds } from '../../live/live-entities.ts';
import { text } from '../../texts/texts.ts';
import { progressOf, routeOf, subjectOf, typeText } from './action-text.ts';
import { type StepGroup, statesOf } from './graph-groups.ts';
import { stepSize } from './graph-layout.ts';

type Action = LiveKinds['action'];

const maxChars = 26;

interface BoxProps {
  x: number;
  y: number;
  isChosen: boolean;
  /** Whether Tab reaches it. */
  isEntry: boolean;
  onChoose: (uuid: string) => void;
}

/** The box of an action. */
export function ActionStep({ action, ...place }: BoxProps & { action: Action }) {
  return (
    <StepBox
      {...place}
      uuid={action.uuid}
      state={action.state}
      spoken={spokenText(action)}
      title={`${typeText(action.action_type)} ${subjectOf(action)}`}
      detail={routeOf(action)}
      note={`${action.state} ${progressOf(action)}`}
    >
      {action.state === 'ONGOING' && action.progress !== undefined && (
        <rect
          y={stepSize.height - 4}
          width={Math.max(4, stepSize.width * Math.min(1, action.progress))}
          height="4"
          rx="2"
          className="vigil-step-progress"
        />
      )}
    </StepBox>
  );
}

/** The box of several similar actions. */
export function GroupStep({ group, ...place }: BoxProps & { group: StepGroup }) {
  const types = [...new Set(group.actions.map(({ action_type: type }) => typeText(type)))];
  const routes = [...new Set(group.actions.map(routeOf))];
  const states = statesOf(group);
  const title = text('graph.group', {
    count: group.actions.length,
    type: types.length === 1 ? (types[0] ?? '') : text('graph.actions'),
  });
  const detail = routes.length === 1 ? (routes[0] ?? '') : text('graph.routes', { count: routes.length });
  const note = states.map(([state, count]) => `${count} ${state}`).join(', ');
  return (
    <StepBox
      {...place}
      uuid={group.uuid}
      state={states[0]?.[0] ?? ''}
      spoken={[title, detail, note].filter(Boolean).join(', ')}
      title={title}
      detail={detail}
      note={note}
      isGroup
    />
  );
}

interface StepBoxProps extends BoxProps {
  uuid: string;
  state: string;
  /** The complete label, starting with the text in the box. */
  spoken: string;
  title: string;
  detail: string;
  note: string;
  isGroup?: boolean;
  children?: ReactNode;
}

function StepBox({
  x,
  y,
  isChosen,
  isEntry,
  onChoose,
  uuid,
  state,
  spoken,
  title,
  detail,
  note,
  isGroup,
  children,
}: StepBoxProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose(uuid);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: there are no buttons in SVG
    <g
      role="button"
      data-testid="step"
      tabIndex={isEntry ? 0 : -1}
      aria-pressed={isChosen}
      aria-label={spoken}
      data-action={uuid}
      transform={`translate(${x} ${y})`}
      className={`vigil-step vigil-step-${state.toLowerCase()}${isChosen ? ' vigil-step-chosen' : ''}`}
      {...(isGroup ? { 'data-group': 'true' } : { 'data-state': state })}
      onClick={() => onChoose(uuid)}
      onKeyDown={onKeyDown}
    >
      {isGroup && <rect x="5" y="5" width={stepSize.width} height={stepSize.height} rx="6" />}
      <rect width={stepSize.width} height={stepSize.height} rx="6" />
      {/* The spaces separate the words for screen readers. */}
      <text x="10" y="18" className="vigil-step-title">
        {`${cut(title)} `}
      </text>
      <text x="10" y="35" className="vigil-step-detail">
        {`${cut(detail)} `}
      </text>
      {/* In words too, for users with colour blindness. */}
      <text x="10" y="51" className="vigil-step-state">
        {cut(note)}
      </text>
      {children}
    </g>
  );
}

/** The complete label of the box and its arrows, starting with the text in the box, for voice control. */
function spokenText(action: Action): string {
  const waits = action.parents.length;
  return [
    `${typeText(action.action_type)} ${subjectOf(action)}`,
    routeOf(action),
    action.state,
    progressOf(action),
    waits > 0 && text('graph.waits', { count: waits }),
  ]
    .filter(Boolean)
    .join(', ');
}

function cut(words: string): string {
  return words.length > maxChars ? `${words.slice(0, maxChars - 1)}…` : words;
}
