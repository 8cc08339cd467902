import type { JsonObject, Logger } from '#libs/domain';
import type { Store } from '#libs/store';

/** A late run, call or heartbeat counts against the machine for this long. */
const slowMs = 60_000;
/** An episode ends when nothing was late for this long, so that one bad hour is one event. */
const quietMs = 600_000;

/** A part whose delay says something about the machine. */
export type LateParty = 'coordinator' | 'database' | 'message bus' | 'processes';

/** Parties whose delay alone is an episode. A slow database or bus may have other reasons than the machine. */
const sufficient: readonly LateParty[] = ['coordinator', 'processes'];

/** Decides whether a delay is the machine's. Its state is this process's. */
export interface MachineWatch {
  /** Notes that `party` was late, with the details for operators. */
  note(party: LateParty, detail: string): void;
  /** Whether the machine was slow within the last minute. */
  isSlow(): boolean;
  /** Reports the episode once, and ends it after ten quiet minutes. The next call repeats a report that failed. */
  settle(): Promise<void>;
}

/** Collaborators of the watch. */
export interface MachineWatchDeps {
  store: Pick<Store, 'db'>;
  /** Of the coordinator, for the event. */
  instanceId: string;
  host: string;
  logger: Logger;
  /** Monotonic, in milliseconds. */
  nowMs(): number;
  readPressure(): Promise<JsonObject | null>;
  /** Called when an episode starts and ends. */
  onChange(isSlow: boolean): void;
}

/** Watches without an episode. */
export function createMachineWatch(deps: MachineWatchDeps): MachineWatch {
  const { store, logger, nowMs } = deps;
  const late = new Map<LateParty, string>();
  let lateAt = Number.NEGATIVE_INFINITY;
  let isReported = false;

  async function report(): Promise<void> {
    const pressure = await deps.readPressure();
    const parties = Object.fromEntries(late);
    const reason = 'late together, so the machine is slow: no process is restarted';
    await store.db.registry.report({
      type: 'host.slow',
      serviceType: 'recovery-coordinator',
      serviceName: 'recovery-coordinator',
      host: deps.host,
      instanceId: deps.instanceId,
      doc: { reason, late: parties, ...(pressure ? { pressure } : {}) },
    });
    isReported = true;
    deps.onChange(true);
    logger.warn({ host: deps.host, late: parties, pressure }, 'machine slow, restarts suspended');
  }

  return {
    note(party, detail) {
      late.set(party, detail);
      lateAt = nowMs();
    },
    isSlow: () => nowMs() - lateAt < slowMs,
    async settle() {
      if (nowMs() - lateAt > quietMs && late.size > 0) {
        if (isReported) logger.info({ host: deps.host }, 'machine no longer slow');
        late.clear();
        isReported = false;
        deps.onChange(false);
      }
      if (!isReported && sufficient.some((party) => late.has(party))) await report();
    },
  };
}

/** Measures by how much the runs of a loop are late, from the end of one run to the start of the next. */
export function createLoopDelay(nowMs: () => number) {
  let endedAt: number | null = null;
  return {
    /** Start of a run: the delay in milliseconds against a pause of `everyMs`. */
    begin(everyMs: number): number {
      return endedAt === null ? 0 : Math.max(0, nowMs() - endedAt - everyMs);
    },
    end(): void {
      endedAt = nowMs();
    },
  };
}
