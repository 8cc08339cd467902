/** Hosts by falling pressure, kept sorted. */
export interface PressureOrder {
  /** Sorts again after pressures changed; equal ones stand by row. */
  refresh(pressure: Float64Array): readonly number[];
}

/**
 * Few hosts change between two looks, so insertion into the former order is near-linear where sorting anew is not.
 * `pressure` is indexed by host row.
 */
export function createPressureOrder(hosts: readonly number[]): PressureOrder {
  const order = [...hosts];
  let sorted = false;

  function insertionSort(pressure: Float64Array): void {
    for (let index = 1; index < order.length; index++) {
      const host = order[index] as number;
      const key = pressure[host] as number;
      let place = index;
      while (place > 0 && comesBefore(host, key, order[place - 1] as number, pressure)) {
        order[place] = order[place - 1] as number;
        place--;
      }
      order[place] = host;
    }
  }

  return {
    refresh(pressure) {
      if (sorted) insertionSort(pressure);
      else order.sort((a, b) => (pressure[b] as number) - (pressure[a] as number) || a - b);
      sorted = true;
      return order;
    },
  };
}

function comesBefore(host: number, key: number, other: number, pressure: Float64Array): boolean {
  const otherKey = pressure[other] as number;
  return key > otherKey || (key === otherKey && host < other);
}
