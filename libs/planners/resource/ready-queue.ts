import type { Lane, Lanes } from './lanes.ts';
import type { Task } from './tasks.ts';
import type { Urgency } from './urgency.ts';

/** Tasks whose parents are done, most urgent first. Tasks without a free lane wait at it. */
export interface ReadyQueue {
  add(task: Task): void;
  /** The most urgent task with free lanes, taken out. */
  take(): Task | undefined;
  /** One more task may use the lane. */
  freed(lane: Lane): void;
}

interface Entry {
  task: Task;
  /** Urgency when it was put in. It only falls. */
  urgency: number;
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.urgency > b.urgency || (a.urgency === b.urgency && a.task.index < b.task.index);
}

interface Heap {
  push(entry: Entry): void;
  pop(): Entry | undefined;
  peek(): Entry | undefined;
  /** Gives the first entry its new urgency, which is not higher. */
  lowerFirst(urgency: number): void;
}

/** A binary heap with the most urgent entry first, of equal ones that with the lowest index. */
function createHeap(): Heap {
  const heap: Entry[] = [];
  const at = (index: number) => heap[index] as Entry;

  /** Puts an entry in the place of the first one, and then as far down as it belongs. */
  function sink(entry: Entry): void {
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      if (child + 1 < heap.length && isBefore(at(child + 1), at(child))) child++;
      if (!isBefore(at(child), entry)) break;
      heap[index] = at(child);
      index = child;
    }
    heap[index] = entry;
  }

  return {
    lowerFirst(urgency) {
      const first = heap[0];
      if (first !== undefined) sink({ task: first.task, urgency });
    },
    push(entry) {
      let index = heap.push(entry) - 1;
      while (index > 0) {
        const parent = (index - 1) >> 1;
        if (!isBefore(entry, at(parent))) break;
        heap[index] = at(parent);
        index = parent;
      }
      heap[index] = entry;
    },
    pop() {
      const first = heap[0];
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) sink(last);
      return first;
    },
    peek: () => heap[0],
  };
}

/** An empty queue. Every question costs O(log tasks) times the lanes that a task requests without success. */
export function createReadyQueue(lanes: Lanes, urgency: Urgency): ReadyQueue {
  const ready = createHeap();
  const waiting = new Map<Lane, Heap>();

  function add(task: Task): void {
    ready.push({ task, urgency: urgency.of(task) });
  }

  function wait(task: Task, lane: Lane): void {
    const heap = waiting.get(lane) ?? createHeap();
    waiting.set(lane, heap);
    heap.push({ task, urgency: urgency.of(task) });
  }

  function wake(lane: Lane): void {
    const next = waiting.get(lane)?.pop();
    if (next !== undefined) add(next.task);
  }

  /** The most urgent task by current knowledge. */
  function popFresh(): Task | undefined {
    for (let first = ready.peek(); first !== undefined; first = ready.peek()) {
      const now = urgency.of(first.task);
      if (now >= first.urgency) return ready.pop()?.task;
      ready.lowerFirst(now);
      if (ready.peek()?.task === first.task) return ready.pop()?.task;
    }
    return undefined;
  }

  return {
    add,
    take() {
      for (let task = popFresh(); task !== undefined; task = popFresh()) {
        const busy = lanes.busyLane(task);
        if (busy === null) return task;
        wait(task, busy);
        for (const lane of lanes.of(task)) if (lane !== busy && lane.free.length > 0) wake(lane);
      }
      return undefined;
    },
    freed: wake,
  };
}
