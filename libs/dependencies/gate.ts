import { OperatorError } from '#libs/domain';
import type { DependencyReport, GateReport } from './dependency.ts';
import { type DependencyWatch, missingOf, type Round } from './dependency-watch.ts';
import { isOutage } from './is-outage.ts';

/** Whether a process may take up work now. */
export interface Gate {
  readonly isOpen: boolean;
  /** The last finding. Null before the first. */
  report(): GateReport | null;
  /** Reasons why it is closed, each as `name: reason`. */
  missing(): string[];
  /** Whether a dependency can be used as far as is known. True for one that is not watched. */
  isUp(name: string): boolean;
  /** Resolves when it is open. @throws the reason of the signal when that fires before. */
  whenOpen(signal?: AbortSignal): Promise<void>;
  /** Called after every change between open and closed, until the returned function is called. */
  onChange(listener: (isOpen: boolean) => void): () => void;
  /** Something that is needed has just failed: probes now instead of after the pause. */
  suspect(): void;
}

/** A gate that a process keeps. */
export interface WatchedGate extends Gate {
  /** Called after every round of probes. */
  onReport(listener: (report: GateReport) => void): void;
  /**
   * Resolves after the first round of probes.
   * @throws the error of a probe when waiting cannot help: a wrong password, a schema of another version
   */
  firstRound(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts to watch immediately. The gate is closed until the first round has found everything. */
export function startGate(watch: DependencyWatch): WatchedGate {
  const ending = new AbortController();
  const listeners = new Set<(isOpen: boolean) => void>();
  const reportListeners: ((report: GateReport) => void)[] = [];
  let last: GateReport | null = null;
  let wake: () => void = () => undefined;
  let settleFirst: { resolve(): void; reject(error: unknown): void } | null = null;
  const first = new Promise<void>((resolve, reject) => {
    settleFirst = { resolve, reject };
  });
  // Callers that skip the first round learn from the gate that it stays closed.
  first.catch(() => undefined);

  function take({ report, errors }: Round): void {
    const wasOpen = last?.open ?? false;
    last = report;
    if (wasOpen !== report.open) for (const listener of [...listeners]) listener(report.open);
    for (const listener of reportListeners) listener(report);
    const fault = errors.find((error) => error instanceof OperatorError && !isOutage(error));
    if (fault === undefined) settleFirst?.resolve();
    else settleFirst?.reject(fault);
    settleFirst = null;
  }

  async function loop(): Promise<void> {
    while (!ending.signal.aborted) {
      const round = await watch.round(ending.signal);
      if (ending.signal.aborted) break;
      take(round);
      const pausing = new AbortController();
      wake = () => pausing.abort();
      await watch.pause(AbortSignal.any([ending.signal, pausing.signal]));
    }
    settleFirst?.reject(ending.signal.reason);
  }

  const gate: WatchedGate = {
    get isOpen() {
      return last?.open ?? false;
    },
    report: () => last,
    missing: () => (last === null ? ['not probed yet'] : missingOf(last)),
    isUp: (name) => find(last, name)?.up ?? true,
    async whenOpen(signal) {
      signal?.throwIfAborted();
      if (gate.isOpen) return;
      await new Promise<void>((resolve, reject) => {
        const onAbort = () => {
          off();
          reject(signal?.reason);
        };
        const off = gate.onChange((isOpen) => {
          if (!isOpen) return;
          off();
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    suspect: () => wake(),
    onReport: (listener) => void reportListeners.push(listener),
    firstRound: () => first,
    async stop() {
      ending.abort(new Error('the process stops'));
      await running;
    },
  };
  const running = loop();
  return gate;
}

function find(report: GateReport | null, name: string): DependencyReport | undefined {
  return report?.dependencies.find((dependency) => dependency.name === name);
}

/** A gate that is never closed, for processes and tests in which nothing is watched. */
export const openGate: Gate = {
  isOpen: true,
  report: () => null,
  missing: () => [],
  isUp: () => true,
  whenOpen: async () => undefined,
  onChange: () => () => undefined,
  suspect: () => undefined,
};
