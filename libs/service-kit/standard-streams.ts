import type { Counter } from 'prom-client';

let lost = 0;
let counter: Counter | null = null;

/**
 * Keeps the process alive when its standard output or standard error cannot be written, for example by a full disk or
 * a closed reader. Output is then dropped. May be called again.
 */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  }
}

/**
 * Writes a line of the log to standard error, and counts lost lines. Each write reports its result: a stream that has
 * failed once emits fewer errors than it loses writes.
 */
export function writeLogLine(line: string): void {
  process.stderr.write(line, (error) => {
    if (error) countLoss();
  });
}

/** Counts losses, including earlier ones, in a metric. */
export function countLostOutput(metric: Counter): void {
  metric.inc(lost);
  counter = metric;
}

/** Without a listener the error of a stream ends the process. */
function ignore(): void {}

function countLoss(): void {
  lost += 1;
  counter?.inc();
}
