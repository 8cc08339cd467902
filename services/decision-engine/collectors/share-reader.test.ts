import { describe, expect, it } from 'vitest';
import type { Cloud, ServerShare } from '#libs/openstack';
import { createShareReader } from './share-reader.ts';

/** A cloud that counts the requests for shares. Requests for some servers fail. */
function scene({ mostMs, has = true }: { mostMs?: number; has?: boolean } = {}) {
  let now = 0;
  const requested: string[] = [];
  const shares: Record<string, ServerShare[] | Error> = {
    a: [{ shareId: 's', status: 'active' }],
    bad: new Error('no'),
  };
  const cloud = {
    hasShareService: async () => has,
    compute: {
      async listServerShares(uuid: string) {
        requested.push(uuid);
        now += 1000;
        const found = shares[uuid] ?? [];
        if (found instanceof Error) throw found;
        return found;
      },
    },
  } as unknown as Cloud;
  const reader = createShareReader({ clock: { now: () => now }, maxAgeMs: 60_000, concurrency: 1, mostMs });
  const read = async (...uuids: string[]) => {
    const found = await reader.read(cloud, uuids, {});
    return found && Object.fromEntries(found);
  };
  return { read, requested, shares, pass: (ms: number) => (now += ms) };
}

describe('shares of servers', () => {
  it('are not read where the catalogue has no share service', async () => {
    const { read, requested } = scene({ has: false });
    expect([await read('a'), requested]).toEqual([null, []]);
  });

  it('are read once, and again when they are old', async () => {
    const { read, requested, shares, pass } = scene();
    expect(await read('a', 'b')).toEqual({ a: true, b: false });
    expect(await read('a', 'b', 'c')).toEqual({ a: true, b: false, c: false });
    expect(requested).toEqual(['a', 'b', 'c']);
    pass(60_000);
    shares.a = [];
    expect(await read('a')).toEqual({ a: false });
  });

  it('are unknown where a request fails, which the next call repeats', async () => {
    const { read, shares } = scene();
    expect(await read('bad', 'b')).toEqual({ bad: null, b: false });
    shares.bad = [];
    expect(await read('bad')).toEqual({ bad: false });
  });

  it('are unknown beyond the time of a call, and read by the next ones', async () => {
    const { read } = scene({ mostMs: 2000 });
    expect(await read('a', 'b', 'c')).toEqual({ a: true, b: false, c: null });
    expect(await read('a', 'b', 'c')).toEqual({ a: true, b: false, c: false });
  });
});
