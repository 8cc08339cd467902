import { expect, it } from 'vitest';
import { strategyCatalogue } from '#libs/strategies';
import { benchParameters, makeWorld } from './strategy.ts';

it('every built-in strategy can be measured: the bench gives it the parameters that it needs', () => {
  const world = makeWorld(20, 400, 1);
  for (const { manifest } of strategyCatalogue) expect(benchParameters(manifest, world), manifest.name).toBeDefined();
});
