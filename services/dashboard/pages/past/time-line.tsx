import { Button, Flex } from '@patternfly/react-core';
import { type ReactNode, useEffect } from 'react';
import { fullTime } from '../../components/time.tsx';
import { text } from '../../texts/texts.ts';
import { momentAt, otherStep, stepOf, stepsOf, type TimeLine } from './moments.ts';

interface TimeLineProps {
  line: TimeLine;
  atMs: number;
  /** The second moment. Null: now. */
  toMs: number | null;
  isPlaying: boolean;
  /** Whether the shown moment is loaded: playing waits for it. */
  isReady: boolean;
  /** Marks on the track. */
  children: ReactNode;
  onMoment: (atMs: number) => void;
  onLater: (toMs: number | null) => void;
  onPlaying: (isPlaying: boolean) => void;
}

/** Pause between two moments of playing, in milliseconds, and their distance in hours. */
const usualPace = { pauseMs: 600, hours: 4 };
/** For users who want less motion: few changes, far apart. */
const calmPace = { pauseMs: 3000, hours: 24 };
/** Playing a short time line takes at least as many moments. */
const leastMoments = 8;

function paceOf(): typeof usualPace {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? calmPace : usualPace;
}

/** The sliders of one or two moments over the last days with the plans as marks, and playing. */
export function TimeLineControl(props: TimeLineProps) {
  const { line, atMs, toMs, isPlaying, isReady, children, onMoment, onLater, onPlaying } = props;
  const step = stepOf(line, atMs);
  const day = stepsOf(line, 24);
  const go = (to: number) => onMoment(momentAt(line, to));
  useEffect(() => {
    if (!isPlaying || !isReady) return;
    const { pauseMs, hours } = paceOf();
    const next = step + Math.min(stepsOf(line, hours), Math.ceil(line.steps / leastMoments));
    const timer = setTimeout(() => {
      if (next >= line.steps) onPlaying(false);
      onMoment(momentAt(line, next));
    }, pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <div className="vigil-time-line">
      <div className="vigil-time-line-track">
        <MomentSlider
          label={text('past.slider')}
          line={line}
          atMs={atMs}
          onMoment={(moment) => {
            onPlaying(false);
            onMoment(moment);
          }}
        />
        {children}
        {toMs !== null && <MomentSlider label={text('past.laterSlider')} line={line} atMs={toMs} onMoment={onLater} />}
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
        <Button variant="tertiary" isDisabled={step <= 0} onClick={() => go(step - day)}>
          {text('past.dayEarlier')}
        </Button>
        <Button variant="tertiary" isDisabled={step >= line.steps} onClick={() => go(step + day)}>
          {text('past.dayLater')}
        </Button>
        <strong aria-live={isPlaying ? 'off' : 'polite'} data-testid="past-moment">
          {fullTime(atMs)}
        </strong>
        <Later line={line} step={step} toMs={toMs} onLater={onLater} />
      </Flex>
    </div>
  );
}

/** The second moment, or the button that adds one. */
function Later({ line, step, toMs, onLater }: Pick<TimeLineProps, 'line' | 'toMs' | 'onLater'> & { step: number }) {
  if (toMs === null) {
    return (
      <Button variant="link" onClick={() => onLater(momentAt(line, otherStep(line, step)))}>
        {text('past.compareTimes')}
      </Button>
    );
  }
  return (
    <>
      <span>
        {text('past.comparedWith')} <strong data-testid="past-later">{fullTime(toMs)}</strong>
      </span>
      <Button variant="link" onClick={() => onLater(null)}>
        {text('past.compareNow')}
      </Button>
    </>
  );
}

interface MomentSliderProps {
  label: string;
  line: TimeLine;
  atMs: number;
  onMoment: (atMs: number) => void;
}

function MomentSlider({ label, line, atMs, onMoment }: MomentSliderProps) {
  return (
    <input
      type="range"
      min={0}
      max={line.steps}
      value={stepOf(line, atMs)}
      aria-label={label}
      aria-valuetext={fullTime(atMs)}
      onChange={(event) => onMoment(momentAt(line, Number(event.target.value)))}
    />
  );
}
