import { expect, it } from 'vitest';
import { createUnknownTokenGate } from './unknown-token-gate.ts';

const time = { ms: 0 };
const create = (perMinute: number) => createUnknownTokenGate(() => perMinute, { now: () => time.ms });
const refused = async () => null;

it('the gate stops Keystone calls for an address with rejected tokens for some time', async () => {
  const gate = create(3);
  for (let round = 0; round < 3; round += 1) expect(await gate('a', refused)).toBeNull();
  await expect(gate('a', refused)).rejects.toMatchObject({ status: 429, waitSeconds: 20 });
  expect(await gate('b', refused)).toBeNull();
  time.ms += 20_000;
  expect(await gate('a', refused)).toBeNull();
});

it('the gate counts neither valid tokens nor those that Keystone was unavailable for', async () => {
  const gate = create(2);
  const away = () => Promise.reject(new Error('away'));
  for (let round = 0; round < 10; round += 1) {
    expect(await gate('a', async () => 'valid')).toBe('valid');
    await expect(gate('a', away)).rejects.toThrow('away');
  }
  expect(await gate('a', refused)).toBeNull();
});

it('the gate admits four parallel calls of an address, and others beside them', async () => {
  const gate = create(0);
  const waiting: (() => void)[] = [];
  const slow = () => new Promise<null>((resolve) => waiting.push(() => resolve(null)));
  const many = Array.from({ length: 100 }, () => gate('a', slow));
  await expect.poll(() => waiting.length).toBe(4);
  expect(await gate('b', async () => 'valid')).toBe('valid');
  let answered = 0;
  for (const one of many) void one.then(() => (answered += 1));
  while (answered < 100) {
    for (const answer of waiting.splice(0)) answer();
    await new Promise(setImmediate);
  }
});
