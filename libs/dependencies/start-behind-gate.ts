import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#libs/domain';
import { createTeardown, type Readiness, type Teardown } from '#libs/service-kit';
import type { WatchedGate } from './gate.ts';
import { isAway } from './is-away.ts';

/** Part of a process that starting behind the gate needs. */
export interface GatedContext {
  logger: Logger;
  teardown: Teardown;
  readiness: Readiness;
  fail(error: unknown): void;
}

/**
 * Pauses before parts are started again that something went away from under, in milliseconds: they double up to the
 * last.
 */
const againMs = { first: 100, last: 1000 };
/** The parts have limits of their own. */
const partsLimitMs = 3_600_000;

/**
 * Starts the parts of a process as soon as everything that it needs can be used. When that is so already, it resolves
 * when they have started. Otherwise at once, and they start when the gate opens. What goes away during the start is
 * waited for too: the parts that had started are stopped, and all are started again. The gate is ended by who made it.
 * @param compose starts the parts and registers their ends in the teardown that it is given.
 * @throws what a probe or `compose` threw, when waiting cannot help
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
    for (let tried = 0; ; tried += 1) {
      await gate.whenOpen(ending.signal);
      const parts = createTeardown(logger);
      try {
        await compose(parts);
        teardown.add('parts', parts.run, partsLimitMs);
        hasStarted = true;
        return;
      } catch (error) {
        await parts.run();
        if (ending.signal.aborted || !isAway(error)) throw error;
        logger.info({ error }, 'something went away during the start, starting again');
      }
      gate.suspect();
      await sleep(Math.min(againMs.first * 2 ** tried, againMs.last), undefined, { signal: ending.signal });
    }
  }

  await gate.firstRound();
  if (gate.isOpen) return starting;
  logger.info({ missing: gate.missing() }, 'work begins when everything that is needed can be used');
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
