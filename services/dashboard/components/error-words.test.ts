import { expect, test } from 'vitest';
import { text } from '../texts/texts.ts';
import { errorWords } from './error-words.ts';

test.each([
  ['max_workers: an integer from 1 is expected', `${text('field.workers')}: an integer from 1 is expected`],
  ['thresholds.instance_cpu_usage must be at most 1', 'thresholds › instance CPU usage must be at most 1'],
  ['Host rack_2_node_07 of zone az_1 is not in the model', 'Host rack_2_node_07 of zone az_1 is not in the model'],
  ['Strategy uniform_airflow could not be found', 'Strategy uniform_airflow could not be found'],
  ['There is no plan 47733725-e51f-4836-9aab-83a1ee77390f', 'There is no plan 47733725'],
  ['GET /v1/action_plans failed', 'GET /v1/action_plans failed'],
  ['interval: five fields are needed', `${text('field.schedule')}: five fields are needed`],
])('%s', (message, words) => {
  expect(errorWords(message)).toBe(words);
});
