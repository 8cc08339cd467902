import { SingleBar } from 'cli-progress';
import type { PlanProgress } from '#libs/client';
import type { CliContext } from '../cli-context.ts';

/** Shows the progress of a plan: a bar on a terminal, else a line for each change. */
export interface ProgressDisplay {
  update(progress: PlanProgress): void;
  /** Shows the remaining time, such as `30 s to 2 min`. */
  left(range: string): void;
  end(): void;
}

const silent: ProgressDisplay = { update: () => undefined, left: () => undefined, end: () => undefined };

/** A bar on a terminal, else lines on standard error. Nothing with `--quiet`. */
export function createProgressDisplay(context: CliContext): ProgressDisplay {
  if (context.verbosity.level === 'quiet') return silent;
  return context.isTerminal ? createBar() : createLines(context);
}

function createBar(): ProgressDisplay {
  const bar = new SingleBar({
    format: '{bar} {value}/{total} actions  {state}  {failed} failed  {left}',
    clearOnComplete: false,
  });
  let started = false;
  let left = '';
  return {
    update({ plan, actions, ended, failed }) {
      const payload = { state: plan.state, failed, left };
      if (!started) bar.start(actions.length, ended, payload);
      started = true;
      bar.update(ended, payload);
    },
    left(range) {
      left = `${range} left`;
      if (started) bar.update({ left });
    },
    end: () => bar.stop(),
  };
}

function createLines(context: CliContext): ProgressDisplay {
  let last = '';
  return {
    update({ plan, actions, ended, failed }) {
      const line = `${plan.state}: ${ended} of ${actions.length} actions ended, ${failed} failed\n`;
      if (line !== last) context.err(line);
      last = line;
    },
    left: (range) => context.err(`${range} left\n`),
    end: () => undefined,
  };
}
