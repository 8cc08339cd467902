const firstLength = 8;

/** Which items are on which host: lists without order, all operations O(1). */
export class Residents {
  /** Items by host; the first `count[host]` of each are valid. */
  readonly lists: Int32Array[];
  readonly count: Int32Array;
  private readonly position: Int32Array;

  constructor(hosts: number, items: number) {
    this.lists = Array.from({ length: hosts }, () => new Int32Array(firstLength));
    this.count = new Int32Array(hosts);
    this.position = new Int32Array(items);
  }

  add(host: number, item: number): void {
    const count = this.count[host]!;
    let list = this.lists[host]!;
    if (count === list.length) {
      const longer = new Int32Array(2 * count);
      longer.set(list);
      this.lists[host] = longer;
      list = longer;
    }
    list[count] = item;
    this.position[item] = count;
    this.count[host] = count + 1;
  }

  remove(host: number, item: number): void {
    const list = this.lists[host]!;
    const last = this.count[host]! - 1;
    const at = this.position[item]!;
    const moved = list[last]!;
    list[at] = moved;
    this.position[moved] = at;
    this.count[host] = last;
  }

  clear(): void {
    this.count.fill(0);
  }
}
