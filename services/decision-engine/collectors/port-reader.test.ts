import { describe, expect, it, vi } from 'vitest';
import type { NeutronEvent, ReportedPort } from '#libs/cluster-model';
import type { Cloud, ServerPort } from '#libs/openstack';
import { createPortReader } from './port-reader.ts';

const normal: ServerPort = { id: 'p', revision: 1, serverUuid: 's', vnicType: 'normal', hasResourceRequest: false };

/** A cloud that counts the lists of ports. A test can replace the list by an error. */
function scene({ has = true, pageMs }: { has?: boolean; pageMs?: number } = {}) {
  let now = 0;
  const state: { lists: number; ports: ServerPort[] | Error | 'silent'; slowPages: number } = {
    ...{ lists: 0, ports: [normal], slowPages: 0 },
  };
  const cloud = {
    hasNetworkService: async () => has,
    network: {
      async listServerPorts({ signal, onPage }: { signal: AbortSignal; onPage: () => void }) {
        state.lists++;
        for (let page = 0; page < state.slowPages; page++) {
          await vi.advanceTimersByTimeAsync(20_000);
          signal.throwIfAborted();
          onPage();
        }
        if (state.ports instanceof Error) throw state.ports;
        if (state.ports !== 'silent') return state.ports;
        signal.throwIfAborted();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  } as unknown as Cloud;
  const reader = createPortReader({ clock: { now: () => now }, maxAgeMs: 60_000, pageMs });
  return {
    state,
    reader,
    read: (signal?: AbortSignal) => reader.read(cloud, { signal }),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('the list of ports', () => {
  it('is kept for a while', async () => {
    const { read, state, pass } = scene();
    expect(await read()).toEqual({ ports: [normal] });
    pass(59_999);
    await read();
    expect(state.lists).toBe(1);
    pass(1);
    await read();
    expect(state.lists).toBe(2);
  });

  it('is used for longer when Neutron fails, and is unknown at last', async () => {
    const { read, state, pass } = scene();
    await read();
    state.ports = new Error('out of order');
    pass(300_000);
    expect(await read()).toEqual({ ports: [normal] });
    pass(100_000);
    expect(await read()).toEqual({ portsUnknown: expect.stringContaining('out of order') });
  });

  it('is unknown when Neutron does not respond in time', async () => {
    const { read, state } = scene({ pageMs: 1 });
    state.ports = 'silent';
    expect(await read()).toEqual({ portsUnknown: expect.stringContaining('0.001 s') });
  });

  it('may take longer than the limit of a page', async () => {
    vi.useFakeTimers();
    try {
      const { read, state } = scene();
      state.slowPages = 5;
      expect(await read()).toEqual({ ports: [normal] });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not requested without the service', async () => {
    const { read, state } = scene({ has: false });
    expect(await read()).toEqual({ portsUnknown: expect.stringContaining('catalogue') });
    expect(state.lists).toBe(0);
  });

  it('is incomplete without ports, and without their kinds', async () => {
    const { read, state, pass } = scene();
    state.ports = [];
    expect(await read()).toEqual({ portsUnknown: expect.any(String) });
    pass(60_000);
    state.ports = [normal, { ...normal, id: 'q', vnicType: null }];
    expect(await read()).toEqual({ ports: state.ports, portsUnknown: expect.any(String) });
  });

  it('ends with the signal of the caller', async () => {
    const { read, state } = scene();
    state.ports = 'silent';
    const stop = new AbortController();
    const reading = read(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });
});

describe('notifications', () => {
  /** A port of server `s` as Neutron returns it to an administrator, with the given changes. */
  const reported = (change: Partial<ReportedPort> = {}): NeutronEvent => ({
    eventType: 'port.update.end',
    deleted: null,
    ports: [{ id: 'p', serverUuid: 's', revision: 2, vnicType: 'direct', hasResourceRequest: false, ...change }],
  });
  const deletion: NeutronEvent = { eventType: 'port.delete.end', ports: [], deleted: 'p' };
  const needs = (found: ReadonlyMap<string, unknown> | null) => found && Object.fromEntries(found);

  it('change the list and report the needs of the servers, also when they are repeated', async () => {
    const { read, reader, state } = scene();
    expect(needs(reader.change(reported()))).toEqual({});
    await read();
    for (const _ of [1, 2]) expect(needs(reader.change(reported()))).toEqual({ s: 'device' });
    expect(reader.needOf('s')).toBe('device');
    expect(await read()).toMatchObject({ ports: [{ id: 'p', vnicType: 'direct' }] });
    expect(needs(reader.change(reported({ revision: 3, serverUuid: 'other' })))).toEqual({
      s: undefined,
      other: 'device',
    });
    expect(needs(reader.change(reported({ revision: 4, serverUuid: null })))).toEqual({ other: undefined });
    expect(needs(reader.change(deletion))).toEqual({});
    expect(state.lists).toBe(1);
  });

  it('that are older than the list change nothing', async () => {
    const { read, reader } = scene();
    await read();
    reader.change(reported({ revision: 7 }));
    expect(needs(reader.change(reported({ revision: 6, vnicType: 'normal' })))).toEqual({ s: 'device' });
    expect(needs(reader.change(deletion))).toEqual({ s: undefined });
  });

  it('with few facts keep those of the list; about a new port they have the ports listed again', async () => {
    const { read, reader, state } = scene();
    await read();
    reader.change(reported({ hasResourceRequest: true, vnicType: 'normal' }));
    const few = { revision: 3, vnicType: null, hasResourceRequest: null };
    expect(needs(reader.change(reported(few)))).toEqual({ s: 'resources' });
    expect(reader.change(reported({ ...few, id: 'new' }))).toBeNull();
    await read();
    expect(state.lists).toBe(2);
  });

  it('that were missed have the ports listed again, while a list is requested too', async () => {
    const { read, reader, state } = scene();
    const reading = read();
    reader.expire();
    await reading;
    await read();
    await read();
    expect(state.lists).toBe(2);
    reader.expire();
    state.ports = new Error('out of order');
    expect(await read()).toEqual({ ports: [normal] });
  });
});
