import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWhatIf } from '#libs/cluster-model';
import { type BlockedAction, networksOf, type PlannedAction, type ProposedAction } from '#libs/plugin-kit';
import { change, expectTopological, plan } from './testing/plan-actions.ts';
import { ruledScenario, scenario } from './testing/random-scenario.ts';

/** Starts and ends actions in a random order that the graph allows, and calls `check` after every start. */
function executeRandomly(
  planned: PlannedAction[],
  choices: Iterator<number>,
  check: (running: PlannedAction[]) => void,
) {
  const done = new Set<string>();
  const running: PlannedAction[] = [];
  const waiting = [...planned];
  while (waiting.length + running.length > 0) {
    const ready = waiting.filter(({ parents }) => parents.every((parent) => done.has(parent)));
    const choice = choices.next().value % (ready.length + running.length);
    const starts = ready[choice];
    if (starts === undefined) {
      const [ended] = running.splice(choice - ready.length, 1);
      done.add((ended as PlannedAction).uuid);
    } else {
      waiting.splice(waiting.indexOf(starts), 1);
      running.push(starts);
      check(running);
    }
  }
  return done;
}

/** Where each instance is sent last. */
function lastHosts(actions: ProposedAction[]): Map<unknown, unknown> {
  const last = actions.map(({ inputParameters: { resource_id, destination_node } }): [unknown, unknown] => [
    resource_id,
    destination_node,
  ]);
  return new Map(last.sort(([one], [other]) => String(one).localeCompare(String(other))));
}

function isOneOf(blocked: BlockedAction[], action: ProposedAction): boolean {
  return blocked.some((other) => other.action === action);
}

function most(values: unknown[]): number {
  return Math.max(0, ...values.map((value) => values.filter((other) => other === value).length));
}

describe('resource planner, on random worlds', () => {
  it('lists parents before children, and every action, in the plan or as blocked', () => {
    let swaps = 0;
    fc.assert(
      fc.property(scenario, ({ snapshot, actions, limits }) => {
        const blocked: BlockedAction[] = [];
        const planned = plan(snapshot, actions, limits, (action) => blocked.push(action));
        expectTopological(planned);
        const hops = planned.filter(({ reason: { rule } }) => rule === 'swap-through-buffer').length;
        swaps += hops;
        expect(new Set(planned.map(({ uuid }) => uuid)).size).toBe(actions.length - blocked.length + hops);
        expect(lastHosts(planned)).toEqual(lastHosts(actions.filter((action) => !isOneOf(blocked, action))));
      }),
      { numRuns: 200 },
    );
    expect(swaps).toBeGreaterThan(0);
  });

  it('disables a host that was to be emptied, and empties it, or does neither', () => {
    let withdrawn = 0;
    fc.assert(
      fc.property(scenario, fc.nat(), ({ snapshot, actions, limits }, bits) => {
        const freed = snapshot.hostInfo.flatMap(({ hostname }, row) => ((bits >> row) & 1 ? hostname : []));
        const disables = freed.map((host) => ({ ...change(host, 'disabled'), freesHost: host }));
        const blocked: BlockedAction[] = [];
        const planned = plan(snapshot, [...actions, ...disables], limits, (entry) => blocked.push(entry));
        expectTopological(planned);
        const ends = lastHosts(planned);
        for (const host of freed) {
          const residents = snapshot.instanceInfo.filter(
            (_, row) => snapshot.hostInfo[snapshot.instances.host[row] as number]?.hostname === host,
          );
          const leaving = residents.filter(({ uuid }) => (lastHosts(actions).get(uuid) ?? host) !== host);
          const left = leaving.filter(({ uuid }) => (ends.get(uuid) ?? host) !== host);
          if (planned.some(({ freesHost }) => freesHost === host)) {
            expect(left).toEqual(leaving);
          } else {
            withdrawn++;
            expect(left).toEqual([]);
            expect(blocked.some(({ action: { inputParameters } }) => inputParameters.source_node === host)).toBe(true);
          }
        }
      }),
      { numRuns: 200 },
    );
    expect(withdrawn).toBeGreaterThan(0);
  });

  it('starts no move that the cluster model refuses at that moment, in any order that the graph allows', () => {
    let started = 0;
    fc.assert(
      fc.property(ruledScenario, ({ snapshot, actions, choices }) => {
        const planned = plan(snapshot, actions);
        expect(planned).toHaveLength(actions.length);
        const model = createWhatIf(snapshot);
        const known = new Set<PlannedAction>();
        executeRandomly(planned, choices[Symbol.iterator](), (running) => {
          for (const action of running.filter((one) => !known.has(one))) {
            known.add(action);
            started += 1;
            const instance = model.instanceRow(String(action.inputParameters.resource_id)) as number;
            const host = model.hostRow(String(action.inputParameters.destination_node)) as number;
            expect(model.refusal(instance, host)).toBeNull();
            model.move(instance, host);
          }
        });
      }),
      { numRuns: 200 },
    );
    expect(started).toBeGreaterThan(0);
  });

  it('gives the same plan for the same input', () => {
    fc.assert(
      fc.property(scenario, ({ snapshot, actions, limits }) => {
        expect(plan(snapshot, actions, limits)).toEqual(plan(snapshot, actions, limits));
      }),
      { numRuns: 20 },
    );
  });

  it('holds limits, room and groups in any order that the graph allows', () => {
    fc.assert(
      fc.property(scenario, ({ snapshot, actions, limits, choices }) => {
        const planned = plan(snapshot, actions, limits);
        const { hosts, instances } = snapshot;
        const used = hosts.vcpusUsed.slice();
        const capacity = hosts.vcpus.map((vcpus, row) => Math.max(vcpus, used[row] as number));
        // Members of the group, and instances that a rule keeps apart: both may be two on a host.
        const sets = [
          new Set(snapshot.instanceInfo.flatMap((_, row) => ((instances.group[row] as number) >= 0 ? row : []))),
          new Set((snapshot.rules ?? []).flatMap((rule) => [...rule.instances])),
        ];
        const counts = sets.map((rows) => {
          const count = new Int32Array(snapshot.hostInfo.length);
          for (const row of rows)
            count[instances.host[row] as number] = (count[instances.host[row] as number] as number) + 1;
          return count;
        });
        const allowed = counts.map((count) => count.map((at) => Math.max(2, at)));
        const rowOf = (name: unknown) => snapshot.hostInfo.findIndex(({ hostname }) => hostname === name);
        const instanceOf = (uuid: unknown) => snapshot.instanceInfo.findIndex((info) => info.uuid === uuid);
        let before: PlannedAction[] = [];

        function shift(action: PlannedAction, host: number, sign: 1 | -1): void {
          const row = instanceOf(action.inputParameters.resource_id);
          used[host] = (used[host] as number) + sign * (instances.vcpus[row] as number);
          sets.forEach((rows, set) => {
            const count = counts[set] as Int32Array;
            if (rows.has(row)) count[host] = (count[host] as number) + sign;
          });
        }

        const done = executeRandomly(planned, choices[Symbol.iterator](), (running) => {
          const ended = before.filter((action) => !running.includes(action));
          for (const action of ended) shift(action, rowOf(action.inputParameters.source_node), -1);
          const started = running.filter((action) => !before.includes(action));
          for (const action of started) {
            const to = rowOf(action.inputParameters.destination_node);
            shift(action, to, 1);
            expect(used[to]).toBeLessThanOrEqual(capacity[to] as number);
            counts.forEach((count, set) => {
              expect(count[to]).toBeLessThanOrEqual(allowed[set]?.[to] as number);
            });
          }
          before = [...running];
          const inputs = running.map(({ inputParameters }) => inputParameters);
          expect(running.length).toBeLessThanOrEqual(limits.parallelMigrations);
          expect(most(inputs.map(({ source_node }) => source_node))).toBeLessThanOrEqual(limits.parallelPerSourceHost);
          expect(most(inputs.map(({ destination_node }) => destination_node))).toBeLessThanOrEqual(
            limits.parallelPerDestinationHost,
          );
          expect(most(inputs.map(({ resource_id }) => resource_id))).toBeLessThanOrEqual(1);
          const hosts = inputs.map(({ source_node, destination_node }) => [`${source_node}`, `${destination_node}`]);
          const networks = hosts.flatMap((pair) => networksOf(pair, limits.networks));
          expect(most(networks)).toBeLessThanOrEqual(limits.parallelPerNetwork);
          const parities = hosts.flatMap((pair) => [...new Set(pair.map((host) => Number(host.slice(1)) % 2))]);
          expect(most(parities)).toBeLessThanOrEqual(limits.parallelPerAggregate);
        });
        expect(done.size).toBe(planned.length);
      }),
      { numRuns: 300 },
    );
  });
});
