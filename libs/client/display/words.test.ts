import { expect, test } from 'vitest';
import { phraseOf, wordsOf } from './words.ts';

test.each([
  ['released_nodes', 'Released nodes', 'released nodes'],
  ['host_cpu_usage', 'Host CPU usage', 'host CPU usage'],
  ['vcpu_share-deviation', 'vCPU share deviation', 'vCPU share deviation'],
  ['resource_id', 'Resource ID', 'resource ID'],
])('%s is %s, and %s within a sentence', (name, label, phrase) => {
  expect(wordsOf(name)).toBe(label);
  expect(phraseOf(name)).toBe(phrase);
});
