import { expect, it } from 'vitest';
import { benches } from './benches.ts';

it.each(Object.keys(benches))('%s has a help instead of a run', async (name) => {
  const bench = await benches[name]!();
  await expect(bench(['--help'])).rejects.toThrow(/^options\n(.+\n)* {2}--json$/);
});

it('the help has the options with their defaults', async () => {
  const bench = await benches.day!();
  await expect(bench(['--seed', '2', '--help'])).rejects.toThrow(
    /--hosts VALUE \(default 40\)\n(.*\n)* {2}--audits VALUE\n(.*\n)* {2}--hours\n/,
  );
});
