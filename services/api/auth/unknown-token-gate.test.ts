import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createUnknownTokenGate } from './unknown-token-gate.ts';

const time = { ms: 0 };
const create = (perMinute: number) => createUnknownTokenGate(() => perMinute, { now: () => time.ms }, 0);
const refused = async () => null;

it('the gate stops Keystone calls for an address with rejected tokens for some time', async () => {
  const gate = create(3);
  for (let round = 0; round < 3; round += 1) expect(await gate('a', 'short', refused)).toBeNull();
  await expect(gate('a', 'short', refused)).rejects.toMatchObject({ status: 429, waitSeconds: 20 });
  expect(await gate('b', 'short', refused)).toBeNull();
  time.ms += 20_000;
  expect(await gate('a', 'short', refused)).toBeNull();
});

it('the gate counts neither valid tokens nor those that Keystone was unavailable for', async () => {
  const gate = create(2);
  const away = () => Promise.reject(new Error('away'));
  for (let round = 0; round < 10; round += 1) {
    expect(await gate('a', 'short', async () => 'valid')).toBe('valid');
    await expect(gate('a', 'short', away)).rejects.toThrow('away');
  }
  expect(await gate('a', 'short', refused)).toBeNull();
});

it('the gate admits four parallel calls of an address, and calls of other addresses', async () => {
  const gate = create(0);
  const waiting: (() => void)[] = [];
  const slow = () => new Promise<null>((resolve) => waiting.push(() => resolve(null)));
  const many = Array.from({ length: 100 }, () => gate('a', 'short', slow));
  await expect.poll(() => waiting.length).toBe(4);
  expect(await gate('b', 'short', async () => 'valid')).toBe('valid');
  let ended = 0;
  for (const one of many) void one.then(() => (ended += 1));
  while (ended < 100) {
    for (const respond of waiting.splice(0)) respond();
    await new Promise(setImmediate);
  }
});

const tokenLike = () => randomBytes(32).toString('base64url');

it('144 rejected tokens of an address do not keep out a new valid token', async () => {
  const gate = create(120);
  const strangers = Array.from({ length: 144 }, () => gate('shared', tokenLike(), refused));
  await Promise.all(strangers);
  expect(await gate('shared', tokenLike(), async () => 'valid')).toBe('valid');
});

it('the reserve of an address serves no text without the form of a token, and no rejected token', async () => {
  const gate = create(4);
  const stale = tokenLike();
  expect(await gate('a', stale, refused)).toBeNull();
  for (let round = 0; round < 3; round += 1) expect(await gate('a', 'short', refused)).toBeNull();
  for (const token of ['short', stale, stale]) {
    await expect(gate('a', token, refused)).rejects.toMatchObject({ status: 429 });
  }
  expect(await gate('a', tokenLike(), async () => 'valid')).toBe('valid');
  expect(await gate('a', tokenLike(), refused)).toBeNull();
  await expect(gate('a', tokenLike(), refused)).rejects.toMatchObject({ status: 429, waitSeconds: 15 });
});

it('calls from the reserve are sequential', async () => {
  const gate = create(8);
  for (let round = 0; round < 8; round += 1) await gate('a', tokenLike(), refused);
  let running = 0;
  const most: number[] = [];
  const validate = async () => {
    most.push(++running);
    await new Promise(setImmediate);
    running -= 1;
    return 'valid';
  };
  await Promise.all([gate('a', tokenLike(), validate), gate('a', tokenLike(), validate)]);
  expect(most).toEqual([1, 1]);
});
