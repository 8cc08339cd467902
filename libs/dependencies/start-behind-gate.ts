import type { Logger } from '#libs/domain';
import { createTeardown, type Readiness, retry, type Teardown } from '#libs/service-kit';
import type { WatchedGate } from './gate.ts';
import { isOutage } from './is-outage.ts';

/** Part of a process that starting behind the gate needs. */
export interface GatedContext {
  logger: Logger;
  teardown: Teardown;
  readiness: Readiness;
  fail(error: unknown): void;
}

/** Pauses before parts restart after the loss of a dependency, in milliseconds. They double up to the last. */
const pauses = { firstMs: 100, longestMs: 1000 };
/** The parts have their own limits. */
const partsLimitMs = 3_600_000;

/**
 * Starts the parts of a process as soon as all its dependencies are available. Resolves after the start of the parts
 * when they are available already. Otherwise resolves at once, and the parts start when the gate opens. A loss during
 * the start is waited for too: started parts are stopped, and all are started again. The caller ends the gate.
 * @param compose starts the parts and registers their ends in the given teardown.
 * @throws the error of a probe or of `compose`, when waiting cannot help
 */
export async function startBehindGate(
  context: GatedContext,
  gate: WatchedGate,
  compose: (teardown: Teardown) => Promise<void>,
): Promise<void> {
  const { logger, teardown, readiness } = context;
  readiness.add('gate', async () => {
    if (!gate.isOpen) throw new Error(gate.missing().join('; '));
  });
  const ending = new AbortController();
  let hasStarted = false;
  readiness.add('start', async () => {
    if (!hasStarted) throw new Error('not everything has started yet');
  });
  const starting = gate.firstRound().then(startWhenOpen);
  teardown.add('start', async () => {
    ending.abort(new Error('the process stops'));
    await starting.catch(() => undefined);
  });

  async function startWhenOpen(): Promise<void> {
    showDependencies(readiness, gate);
    await retry(startParts, {
      pauses,
      signal: ending.signal,
      isPassing: (error) => !ending.signal.aborted && isOutage(error),
      onFailure(error) {
        logger.info({ error }, 'dependency lost during startup, restarting');
        gate.suspect();
      },
    });
  }

  async function startParts(): Promise<void> {
    await gate.whenOpen(ending.signal);
    const parts = createTeardown(logger);
    try {
      await compose(parts);
    } catch (error) {
      await parts.run();
      throw error;
    }
    teardown.add('parts', parts.run, partsLimitMs);
    hasStarted = true;
  }

  await gate.firstRound();
  if (gate.isOpen) return starting;
  logger.info({ missing: gate.missing() }, 'waiting until all dependencies are available');
  void starting.catch((error: unknown) => {
    if (!ending.signal.aborted) context.fail(error);
  });
}

function showDependencies(readiness: Readiness, gate: WatchedGate): void {
  for (const { name, required } of gate.report()?.dependencies ?? []) {
    const check = async () => {
      const found = gate.report()?.dependencies.find((dependency) => dependency.name === name);
      if (found?.up === false) throw new Error(found.nodes.map(({ reason }) => reason).join('; '));
    };
    readiness.add(name, check, { advisory: !required });
  }
}
