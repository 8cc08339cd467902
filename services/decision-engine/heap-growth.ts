import { setFlagsFromString } from 'node:v8';

const growthPercent = 50;

/**
 * Collects the heaps of this process and of its later threads when they have grown by half since their last complete
 * collection. V8's default is up to four times the live objects, and each model of a large cloud leaves much garbage.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
