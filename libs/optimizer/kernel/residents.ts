const spareRoom = 4;

/** Items by host: unordered lists in one array. All operations are O(1) except rare enlargements. */
export class Residents {
  private pool: Int32Array;
  /** Start, length and room of each host's list, three numbers a host. */
  private readonly spans: Int32Array;
  private readonly position: Int32Array;
  private end = 0;

  constructor(hosts: number, items: number) {
    this.pool = new Int32Array(2 * items + spareRoom * hosts);
    this.spans = new Int32Array(3 * hosts);
    this.position = new Int32Array(items);
  }

  /** Rebuilds all lists from the host of each item. */
  fill(host: Int32Array): void {
    const { spans } = this;
    spans.fill(0);
    for (let item = 0; item < host.length; item += 1) spans[3 * host[item]! + 1]! += 1;
    this.end = 0;
    for (let at = 0; at < spans.length; at += 3) {
      this.place(at, spans[at + 1]!);
      spans[at + 1] = 0;
    }
    for (let item = 0; item < host.length; item += 1) this.add(host[item]!, item);
  }

  countOf(host: number): number {
    return this.spans[3 * host + 1]!;
  }

  /** The resident at `index` of the list. */
  at(host: number, index: number): number {
    return this.pool[this.spans[3 * host]! + index]!;
  }

  add(host: number, item: number): void {
    const { spans } = this;
    const at = 3 * host;
    const count = spans[at + 1]!;
    if (count === spans[at + 2]!) this.enlarge(at);
    this.pool[spans[at]! + count] = item;
    this.position[item] = count;
    spans[at + 1] = count + 1;
  }

  remove(host: number, item: number): void {
    const { spans, pool } = this;
    const start = spans[3 * host]!;
    const last = spans[3 * host + 1]! - 1;
    const at = this.position[item]!;
    const moved = pool[start + last]!;
    pool[start + at] = moved;
    this.position[moved] = at;
    spans[3 * host + 1] = last;
  }

  /** Moves the list of a host to the end, with capacity for half as many additional items. */
  private place(at: number, count: number): void {
    const room = count + (count >> 1) + spareRoom;
    if (this.end + room > this.pool.length) {
      const longer = new Int32Array(2 * this.pool.length + room);
      longer.set(this.pool);
      this.pool = longer;
    }
    this.spans[at] = this.end;
    this.spans[at + 2] = room;
    this.end += room;
  }

  private enlarge(at: number): void {
    const start = this.spans[at]!;
    const count = this.spans[at + 1]!;
    this.place(at, count);
    this.pool.copyWithin(this.spans[at]!, start, start + count);
  }
}
