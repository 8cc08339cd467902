// @needs build
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { injectedFaults } from './injected-faults.ts';

test.each(injectedFaults)('the text that a patch of the soak replaces is in the code: $fault', ({ patches }) => {
  for (const { file, find } of patches) {
    expect(readFileSync(resolve('dist', file), 'utf8').split(find), file).toHaveLength(2);
  }
});
