// @needs build
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { compiledUrl } from './strategy-runner/compiled-url.ts';

/**
 * Prints the greatest size of a heap with lasting objects and much garbage, in bytes. The lasting objects alone exceed
 * the initial limit of a heap, which the growth does not change.
 */
const program = `
  import { getHeapStatistics } from 'node:v8';

  const [, module] = process.argv;
  if (module !== undefined) (await import(module)).limitHeapGrowth();
  const lasting = Array.from({ length: 1_500_000 }, (_, number) => ({ text: 'x' + number, list: [number] }));
  const passing = new Array(1_000_000);
  let most = 0;
  for (let number = 0; number < 12_000_000; number += 1) {
    passing[number % passing.length] = { number, next: { number } };
    if (number % 10_000 === 0) most = Math.max(most, getHeapStatistics().used_heap_size);
  }
  process.stdout.write(String(most), () => process.exit(lasting.length > 0 ? 0 : 1));
`;

function greatestHeap(...args: string[]): number {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program, ...args], { encoding: 'utf8' });
  return Number(output);
}

it('a heap with much garbage stays smaller', () => {
  const module = compiledUrl(new URL('./heap-growth.ts', import.meta.url).href);
  expect(greatestHeap(module)).toBeLessThan(0.85 * greatestHeap());
});
