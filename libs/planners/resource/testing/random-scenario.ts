import fc from 'fast-check';
import { createWhatIf } from '#libs/cluster-model';
import type { ProposedAction } from '#libs/plugin-kit';
import { createTestWorld } from '#libs/plugin-kit/testing';
import { migrate } from './plan-actions.ts';

/** A random small cloud, a feasible random walk of moves through it, and limits. */
export const scenario = fc
  .record({
    hosts: fc.array(fc.record({ vcpus: fc.integer({ min: 4, max: 10 }) }), { minLength: 2, maxLength: 6 }),
    instances: fc.array(
      fc.record({
        vcpus: fc.integer({ min: 1, max: 5 }),
        host: fc.nat(),
        grouped: fc.boolean(),
        /** Under a strict rule of the operator that leaves two of them on a host. */
        apart: fc.boolean(),
      }),
      { minLength: 1, maxLength: 14 },
    ),
    walk: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 30 }),
    shuffle: fc.boolean(),
    limits: fc.record({
      parallelPerSourceHost: fc.integer({ min: 1, max: 3 }),
      parallelPerDestinationHost: fc.integer({ min: 1, max: 3 }),
      parallelMigrations: fc.integer({ min: 1, max: 5 }),
      parallelPerNetwork: fc.integer({ min: 1, max: 3 }),
      parallelPerAggregate: fc.integer({ min: 1, max: 3 }),
      networks: fc.constant([
        { name: 'even', pattern: 'h*0' },
        { name: 'low', pattern: 'h0' },
        { name: 'low', pattern: 'h1' },
      ]),
    }),
    /** Instances whose final hosts are exchanged, which a walk of feasible moves never does. */
    exchanges: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
    choices: fc.infiniteStream(fc.nat()),
  })
  .map((given) => {
    const snapshot = createTestWorld({
      hosts: given.hosts.map(({ vcpus }, index) => ({
        hostname: `h${index}`,
        vcpus,
        aggregates: [`aggregate ${index % 2}`],
      })),
      instances: given.instances.map(({ vcpus, host, grouped, apart }, index) => ({
        name: `i${index}`,
        ...(apart ? { metadata: { apart: 'yes' } } : {}),
        vcpus,
        host: `h${host % given.hosts.length}`,
        ...(grouped ? { group: 'g' } : {}),
      })),
      groups: [{ name: 'g', policy: 'anti-affinity', maxServerPerHost: 2 }],
      rules: [{ kind: 'keep_apart', maxPerHost: 2, instances: { metadata: { apart: 'yes' } } }],
    });
    const model = createWhatIf(snapshot);
    const actions: ProposedAction[] = [];
    for (const [instance, host] of given.walk) {
      const row = instance % given.instances.length;
      const to = host % given.hosts.length;
      const from = model.hostOf[row] as number;
      if (model.refusal(row, to) !== null) continue;
      model.move(row, to);
      actions.push(migrate(`i${row}`, `h${from}`, `h${to}`));
    }
    for (const pair of given.exchanges) {
      const [one = 0, other = 0] = pair.map((row) => row % given.instances.length);
      const [from, to] = [model.hostOf[one] as number, model.hostOf[other] as number];
      if (from === to) continue;
      actions.push(migrate(`i${one}`, `h${from}`, `h${to}`), migrate(`i${other}`, `h${to}`, `h${from}`));
      model.move(one, to);
      model.move(other, from);
    }
    return { snapshot, actions, limits: given.limits, choices: given.choices };
  });

/**
 * A walk of moves that are possible one after the other, in a cloud with every strict rule of the operator and every
 * group that binds.
 */
export const ruledScenario = fc
  .record({
    hosts: fc.integer({ min: 2, max: 5 }),
    instances: fc.array(
      fc.record({
        vcpus: fc.integer({ min: 1, max: 4 }),
        host: fc.nat(),
        group: fc.constantFrom(undefined, 'near', 'far'),
        rule: fc.constantFrom(undefined, 'together', 'together', 'together', 'apart', 'avoid', 'alone'),
      }),
      { minLength: 2, maxLength: 10 },
    ),
    walk: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 30 }),
    choices: fc.infiniteStream(fc.nat()),
  })
  .map((given) => {
    const ruled = (rule: string) => ({ instances: { metadata: { rule } } });
    const snapshot = createTestWorld({
      hosts: Array.from({ length: given.hosts }, (_, index) => ({ hostname: `h${index}`, vcpus: 10 })),
      instances: given.instances.map(({ vcpus, host, group, rule }, index) => ({
        name: `i${index}`,
        vcpus,
        host: `h${host % given.hosts}`,
        ...(group === undefined ? {} : { group }),
        ...(rule === undefined ? {} : { metadata: { rule } }),
      })),
      groups: [
        { name: 'near', policy: 'affinity' },
        { name: 'far', policy: 'anti-affinity', maxServerPerHost: 2 },
      ],
      rules: [
        { kind: 'keep_together', ...ruled('together') },
        { kind: 'keep_apart', maxPerHost: 2, ...ruled('apart') },
        { kind: 'avoid_hosts', hosts: { names: ['h0'] }, ...ruled('avoid') },
        { kind: 'leave_alone', ...ruled('alone') },
      ],
    });
    const model = createWhatIf(snapshot);
    const actions: ProposedAction[] = [];
    for (const [instance, host] of given.walk) {
      const row = instance % given.instances.length;
      const to = host % given.hosts;
      if (model.refusal(row, to) !== null) continue;
      actions.push(migrate(`i${row}`, `h${model.hostOf[row]}`, `h${to}`));
      model.move(row, to);
    }
    return { snapshot, actions, choices: given.choices };
  });
