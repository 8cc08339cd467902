/** npm passes on a Ctrl-C that the terminal has sent to the process as well; so close together they are one. */
const sameMs = 1_000;
const forcedExitCode = 130;

/**
 * Calls `end` at the first SIGINT or SIGTERM. Another one ends the process at once, unless it comes within a second.
 * @returns what gives the signals back.
 */
export function onInterrupt(end: (signal: NodeJS.Signals) => void): () => void {
  let firstAt: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (firstAt !== null && now - firstAt > sameMs) process.exit(forcedExitCode);
    if (firstAt !== null) return;
    firstAt = now;
    end(signal);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
}
