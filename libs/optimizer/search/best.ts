/** The best placement that a search has met. */
export class Best {
  readonly host: Int32Array;
  value: number;

  constructor(host: ArrayLike<number>, value: number) {
    this.host = Int32Array.from(host);
    this.value = value;
  }

  /** Takes a placement over when it is better. */
  offer(host: Int32Array, value: number): void {
    if (value >= this.value) return;
    this.host.set(host);
    this.value = value;
  }
}
