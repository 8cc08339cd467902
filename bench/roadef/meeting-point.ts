/** A thread that is busy elsewhere for so long has failed. */
const mostMs = 120_000;

/**
 * Where threads wait for each other: nobody continues before all have come. `state` is shared memory of
 * `meetingMemory`.
 */
export class MeetingPoint {
  private readonly state: Int32Array;
  private readonly members: number;

  constructor(state: Int32Array, members: number) {
    this.state = state;
    this.members = members;
  }

  /** Throws Error when somebody does not come: its thread failed. */
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

/** How many have come to the present meeting, and how many meetings there were. */
export function meetingMemory(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(8));
}
