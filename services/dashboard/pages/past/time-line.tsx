import { Button, Flex } from '@patternfly/react-core';
import { useEffect } from 'react';
import { fullTime } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';
import { momentAt, placeOf, stepOf, type TimeLine } from './moments.ts';

/** A plan on the time line. */
export interface PlanMark {
  uuid: string;
  /** End of the plan. */
  at: string | null;
}

interface TimeLineProps {
  line: TimeLine;
  atMs: number;
  marks: readonly PlanMark[];
  isPlaying: boolean;
  /** Whether the shown moment is loaded: playing waits for it. */
  isReady: boolean;
  onMoment: (atMs: number) => void;
  onPlaying: (isPlaying: boolean) => void;
}

/** Pause between two moments of playing, in milliseconds, and their distance in hours. */
const usualPace = { pauseMs: 600, hours: 2 };
/** For users who want less motion: few changes, far apart. */
const calmPace = { pauseMs: 3000, hours: 24 };

function paceOf(): typeof usualPace {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? calmPace : usualPace;
}

/** The slider over the last days with the plans as marks, and playing. */
export function TimeLineControl(props: TimeLineProps) {
  const { line, atMs, marks, isPlaying, isReady, onMoment, onPlaying } = props;
  const step = stepOf(line, atMs);
  const go = (to: number) => onMoment(momentAt(line, to));
  useEffect(() => {
    if (!isPlaying || !isReady) return;
    const { pauseMs, hours } = paceOf();
    const timer = setTimeout(() => {
      if (step + hours >= line.steps) onPlaying(false);
      onMoment(momentAt(line, step + hours));
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <div className="vigil-time-line">
      <div className="vigil-time-line-track">
        <input
          type="range"
          min={0}
          max={line.steps}
          value={step}
          aria-label={text('past.slider')}
          aria-valuetext={fullTime(atMs)}
          onChange={(event) => {
            onPlaying(false);
            go(Number(event.target.value));
          }}
        />
        <Marks line={line} marks={marks} />
        <div className="vigil-time-line-ends">
          <span>{fullTime(line.firstMs)}</span>
          <span>{fullTime(line.lastMs)}</span>
        </div>
      </div>
      <Flex gap={{ default: 'gapSm' }} alignItems={{ default: 'alignItemsCenter' }}>
        <Button
          variant="secondary"
          onClick={() => {
            if (!isPlaying && step >= line.steps) go(0);
            onPlaying(!isPlaying);
          }}
        >
          {text(isPlaying ? 'past.pause' : 'past.play')}
        </Button>
        <Button variant="tertiary" isDisabled={step <= 0} onClick={() => go(step - 24)}>
          {text('past.dayBack')}
        </Button>
        <Button variant="tertiary" isDisabled={step >= line.steps} onClick={() => go(step + 24)}>
          {text('past.dayOn')}
        </Button>
        <strong aria-live={isPlaying ? 'off' : 'polite'} data-testid="past-moment">
          {fullTime(atMs)}
        </strong>
      </Flex>
    </div>
  );
}

/** A tick for each plan. The list of plans below has the links. */
function Marks({ line, marks }: Pick<TimeLineProps, 'line' | 'marks'>) {
  return (
    <div className="vigil-time-line-marks" aria-hidden="true">
      {marks.map(({ uuid, at }) => {
        const place = placeOf(line, at);
        return place === null ? null : (
          <span key={uuid} data-testid="past-mark" style={{ insetInlineStart: `${place}%` }} />
        );
      })}
    </div>
  );
}
