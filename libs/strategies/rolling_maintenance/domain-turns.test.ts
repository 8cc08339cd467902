import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { createTestWorld, runStrategy, type TestHost, type TestInstance } from '#libs/plugin-kit/testing';
import { rollingMaintenanceStrategy } from './strategy.ts';

const nodes = ['a1', 'a2', 'b1', 'b2'];
const zoneOf = (hostname: string) => hostname.slice(0, 1);
const spares: TestHost[] = ['c1', 'c2', 'c3'].map((hostname) => ({ hostname, zone: 'c', vcpus: 8 }));
const instances: TestInstance[] = nodes.map((host) => ({ name: `on-${host}`, host, vcpus: 2 }));

interface Situation {
  hosts?: TestHost[];
  instances?: TestInstance[];
  /** Nodes that are in maintenance, or were. */
  started?: readonly string[];
  working?: readonly string[];
  parameters?: JsonObject;
}

async function next(given: Situation = {}) {
  const { started = [], working = [], parameters } = given;
  const zoned = nodes.map((hostname) => ({ hostname, zone: zoneOf(hostname), vcpus: 4 }));
  const hosts = (given.hosts ?? [...zoned, ...spares]).map((host): TestHost => {
    const isOut = working.includes(host.hostname);
    return { ...host, ...(isOut && { status: 'disabled', disabledReason: 'watcher_maintaining' }) };
  });
  const { actions, report } = await runStrategy(rollingMaintenanceStrategy, {
    snapshot: createTestWorld({ hosts, instances: given.instances ?? instances }),
    parameters: { compute_nodes: nodes, at_once: 2, ...parameters },
    past: { disabled: [...started] },
  });
  const disabled = actions.flatMap(({ inputParameters: { state, resource_name: name } }) =>
    state === 'disabled' ? String(name) : [],
  );
  return { disabled, report };
}

describe('nodes of one failure domain', () => {
  it('are in maintenance one after the other, and all have their turn', async () => {
    const started: string[] = [];
    let working: string[] = [];
    for (let run = 0; run < nodes.length && started.length < nodes.length; run++) {
      const left = instances.filter(({ host }) => !started.includes(String(host)));
      const { disabled } = await next({ started, working, instances: left });
      started.push(...disabled);
      working.push(...disabled);
      for (const zone of ['a', 'b']) expect(working.filter((name) => zoneOf(name) === zone).length).toBeLessThan(2);
      working = working.slice(1);
    }
    expect(started).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('wait with the reason and the domain in the report', async () => {
    const { disabled, report } = await next();
    expect(disabled).toEqual(['a1', 'b1']);
    expect(report.notes).toContain('a2 waits for a1: zone a keeps room for the failure of 1 host');
    expect(report.blocked).toContainEqual({ constraint: 'failure-reserve', count: 1, examples: ['a2'] });
  });

  it('wait for one that an earlier plan started, even when their instances may not leave the zone', async () => {
    const { disabled, report } = await next({
      started: ['a1'],
      working: ['a1'],
      instances: [{ name: 'x', host: 'a2', pinnedZone: 'a' }],
      parameters: { compute_nodes: ['a1', 'a2'] },
    });
    expect(disabled).toEqual([]);
    expect(report.emptyBecause).toBe('a2 waits for a1: zone a keeps room for the failure of 1 host');
  });

  it('wait when their instances take the room that the others need', async () => {
    const four = nodes.map((hostname) => ({ hostname, vcpus: 4 }));
    const list = { compute_nodes: ['a1', 'a2'] };
    const run = (vcpus: number) =>
      next({ hosts: four, instances: instances.map((instance) => ({ ...instance, vcpus })), parameters: list });
    expect((await run(2)).disabled).toEqual(['a1']);
    expect((await run(1)).disabled).toEqual(['a1', 'a2']);
  });

  it('are in maintenance together without a reserve', async () => {
    expect((await next({ parameters: { failure_reserve: 0 } })).disabled).toEqual(['a1', 'a2']);
  });

  it('start as before where the domain has one host, and the report says so', async () => {
    const single = [{ hostname: 'a1', zone: 'a' }, ...spares];
    const { disabled, report } = await next({
      hosts: single,
      instances: [{ name: 'x', host: 'a1' }],
      parameters: { compute_nodes: ['a1'] },
    });
    expect(disabled).toEqual(['a1']);
    expect(report.notes).toContain(
      'a1 is the last host in use of zone a; the applier refuses to disable the last one of a zone or aggregate',
    );
  });
});
