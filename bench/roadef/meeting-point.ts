/** A thread that does not arrive within this time has failed. */
const mostMs = 120_000;

/** A barrier for threads: none continues before all have arrived. `state` is shared memory from `meetingMemory`. */
export class MeetingPoint {
  private readonly state: Int32Array;
  private readonly members: number;

  constructor(state: Int32Array, members: number) {
    this.state = state;
    this.members = members;
  }

  /** @throws Error when a thread does not arrive, because it failed */
  meet(): void {
    const { state } = this;
    const meeting = Atomics.load(state, 1);
    if (Atomics.add(state, 0, 1) === this.members - 1) {
      Atomics.store(state, 0, 0);
      Atomics.add(state, 1, 1);
      Atomics.notify(state, 1);
    }
    while (Atomics.load(state, 1) === meeting)
      if (Atomics.wait(state, 1, meeting, mostMs) === 'timed-out')
        throw new Error('another search thread did not come');
  }
}

/** Number of threads at the present meeting, and number of meetings so far. */
export function meetingMemory(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(8));
}
