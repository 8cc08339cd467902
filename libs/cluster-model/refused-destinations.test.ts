import { describe, expect, it } from 'vitest';
import { createTestWorld, testUuid } from '#libs/plugin-kit/testing';
import { createWhatIf } from './create-what-if.ts';
import { hasDestination, refuseDestinations } from './refused-destinations.ts';

const hosts = ['a', 'b', 'c'].map((hostname) => ({ hostname }));
const snapshot = createTestWorld({
  hosts,
  instances: [
    { name: 'vm', host: 'a' },
    { name: 'other', host: 'a' },
  ],
});

const refusing = (...names: string[]) =>
  createWhatIf(
    refuseDestinations(
      snapshot,
      names.map((host) => ({ instance: testUuid('vm'), host })),
    ),
  );

describe('a destination that Nova refused', () => {
  it('is left out for that instance only', () => {
    const model = refusing('b');
    expect([model.refusal(0, 1), model.refusal(0, 2), model.refusal(1, 1)]).toEqual([
      'destination-refused',
      null,
      null,
    ]);
    expect(model.immovable(0)).toBeNull();
  });

  it('is left out in evacuations and for disabled hosts too', () => {
    const dead = createTestWorld({
      hosts: [{ hostname: 'a', state: 'down' }, { hostname: 'b', status: 'disabled' }, { hostname: 'c' }],
      instances: [{ name: 'vm', host: 'a' }],
    });
    const model = createWhatIf(refuseDestinations(dead, [{ instance: testUuid('vm'), host: 'b' }]));
    const options = { way: 'evacuate', allowDisabled: true } as const;
    expect([model.refusal(0, 1, options), model.refusal(0, 2, options)]).toEqual(['destination-refused', null]);
  });

  it('leaves a destination as long as one host is not refused', () => {
    expect(hasDestination(refusing('b'), 0)).toBe(true);
    expect(hasDestination(refusing('b', 'c'), 0)).toBe(false);
  });

  it('counts for nothing in a model without the instance', () => {
    const refused = refuseDestinations(snapshot, [{ instance: testUuid('gone'), host: 'b' }]);
    expect(createWhatIf(refused).refusal(0, 1)).toBeNull();
    expect(refuseDestinations(snapshot, [])).toBe(snapshot);
  });
});
