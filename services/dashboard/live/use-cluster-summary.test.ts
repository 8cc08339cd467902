import { expect, it } from 'vitest';
import { includesModels } from './use-cluster-summary.ts';

const at = (second: number) => new Date(1000 * second).toISOString();
const model = (id: string, taken: number, published: number) => ({
  id,
  taken_at: at(taken),
  published_at: at(published),
  complete: true,
});
const summary = (taken: number, measured: number) => ({
  taken_at: at(taken),
  load: { at: at(measured), period_seconds: 300, sources: [], error: null },
});

it.each([
  ['of the published model, measured since', summary(10, 21), [model('compute', 10, 20)], true],
  ['of a newer model', summary(30, 31), [model('compute', 10, 20)], true],
  ['of an older model', summary(5, 21), [model('compute', 10, 20)], false],
  ['measured before the loads were published', summary(10, 19), [model('compute', 10, 20)], false],
  ['without a published model of the hosts', summary(10, 11), [model('storage', 40, 41)], true],
])('a summary %s', (_, read, models, isIncluded) => {
  expect(includesModels(read, models)).toBe(isIncluded);
});
