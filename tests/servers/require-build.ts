import { builtParts } from '../runner/test-kinds.ts';

/**
 * For helpers that start worker threads. Does nothing outside a test run.
 * @throws Error when the test file does not declare compiled code, with the line to add
 */
export function requireBuild(): void {
  const needs = process.env.VIGIL_TEST_NEEDS?.split(',');
  if (!needs || builtParts.some((part) => needs.includes(part))) return;
  throw new Error('worker threads run compiled code: declare it by a line "// @needs build" at the top of the file');
}
