import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { createInstanceFinder } from './find-instances.ts';
import { instanceTest } from './instance-test.ts';
import { type RuleText, withRules } from './with-rules.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '😀'), maxLength: 3 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', 'ü', '*', '?'), minLength: 1, maxLength: 3 });
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

it('those that the test of a selector fits are found, in their order', () => {
  const instance = fc.record({
    uuid: fc.constantFrom('u1', 'u2', 'u3'),
    name: text,
    projectId: text,
    flavorName: some(text),
    metadata: fc.dictionary(fc.constantFrom('k', 'l'), text),
  });
  const selector = fc.record({
    uuids: some(fc.array(fc.constantFrom('u1', 'u2'), { maxLength: 2 })),
    names: some(fc.array(pattern, { maxLength: 3 })),
    projects: some(fc.array(pattern, { maxLength: 2 })),
    flavors: some(fc.array(pattern, { maxLength: 2 })),
    metadata: some(fc.dictionary(fc.constantFrom('k', 'l', 'constructor'), pattern)),
  });
  fc.assert(
    fc.property(fc.array(instance, { maxLength: 12 }), selector, (instances, about) => {
      const isAbout = instanceTest(about);
      expect([...createInstanceFinder(instances)(about)]).toEqual(
        instances.flatMap((info, row) => (isAbout(info) ? row : [])),
      );
    }),
    { numRuns: 1000, seed: 17 },
  );
});

it('a metadata key that no instance has matches none, also with the name of an object property', () => {
  const instance = { uuid: 'u', name: 'vm', projectId: 'p', metadata: {} };
  for (const key of ['constructor', 'toString', '__proto__'])
    expect(instanceTest({ metadata: Object.fromEntries([[key, '*']]) })(instance), key).toBe(false);
});

it('1,000 rules find their instances among 20,000', () => {
  const hosts = Array.from({ length: 200 }, (_, index) => ({ hostname: `h${index}` }));
  const instances = Array.from({ length: 20_000 }, (_, index) => ({
    name: `tenant-${index % 1000}-vm-${index}`,
    host: `h${index % 200}`,
  }));
  const snapshot = createTestWorld({ hosts, instances });
  const rules = Array.from({ length: 1000 }, (_, index): RuleText => {
    const names = [`tenant-${index}-*`, ...Array.from({ length: 50 }, (_, other) => `other-${index}-${other}`)];
    const rule = { name: `r${index}`, instances: { names }, isStrict: true, maxPerHost: null };
    return index % 2 === 0
      ? { ...rule, kind: 'keep_apart', hosts: null }
      : { ...rule, kind: 'avoid_hosts', hosts: { names: [`h${index % 200}`] } };
  });
  const found = withRules(snapshot, rules).snapshot.rules?.map((rule) => rule.instances.length);
  expect(new Set(found)).toEqual(new Set([20]));
});
