/** Something that ends at a moment. */
export interface TimedEvent {
  at: number;
  index: number;
}

/** A queue that gives the earliest event first, of equal ones that with the lowest index. */
export interface EventQueue {
  push(event: TimedEvent): void;
  pop(): TimedEvent | undefined;
}

function isEarlier(a: TimedEvent, b: TimedEvent): boolean {
  return a.at < b.at || (a.at === b.at && a.index < b.index);
}

/** A binary heap. */
export function createEventQueue(): EventQueue {
  const heap: TimedEvent[] = [];

  function swap(a: number, b: number): void {
    [heap[a], heap[b]] = [heap[b] as TimedEvent, heap[a] as TimedEvent];
  }

  function earliestOf(parent: number): number {
    let earliest = parent;
    for (const child of [2 * parent + 1, 2 * parent + 2]) {
      const event = heap[child];
      if (event !== undefined && isEarlier(event, heap[earliest] as TimedEvent)) earliest = child;
    }
    return earliest;
  }

  return {
    push(event) {
      let index = heap.push(event) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!isEarlier(heap[index] as TimedEvent, heap[parent] as TimedEvent)) return;
        swap(index, parent);
        index = parent;
      }
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let index = 0, next = earliestOf(0); next !== index; next = earliestOf(index)) {
        swap(index, next);
        index = next;
      }
      return first;
    },
  };
}
