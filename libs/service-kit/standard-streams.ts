import type { Counter } from 'prom-client';

let lost = 0;
let counter: Counter | null = null;

/**
 * Keeps the process alive when its standard output or standard error cannot be written (a full disk, a reader that has gone): what
 * was to be printed is dropped and counted. May be called again.
 */
export function surviveLostOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(countLoss)) stream.on('error', countLoss);
  }
}

/** Counts losses, also the former ones, in a metric. */
export function countLostOutput(metric: Counter): void {
  metric.inc(lost);
  counter = metric;
}

function countLoss(): void {
  lost += 1;
  counter?.inc();
}
