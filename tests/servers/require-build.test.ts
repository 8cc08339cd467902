import { expect, it } from 'vitest';
import { requireBuild } from './require-build.ts';

it('worker threads without declared compiled code are an error with the line to add', () => {
  expect(requireBuild).toThrow(/declare it by a line "\/\/ @needs build"/);
  process.env.VIGIL_TEST_NEEDS = 'postgres,program';
  expect(requireBuild).not.toThrow();
});
