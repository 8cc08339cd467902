import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCallGate } from './call-gate.ts';

describe('the gate before the connections', () => {
  it('lets so many calls per key run at one time, in order', async () => {
    const gate = createCallGate(2);
    let running = 0;
    let most = 0;
    const order: number[] = [];
    const work = (number: number) => async () => {
      order.push(number);
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
      return number;
    };
    const results = await Promise.all([1, 2, 3, 4, 5].map((number) => gate.run('a', undefined, work(number))));
    expect(results).toEqual([1, 2, 3, 4, 5]);
    expect(order).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('keeps keys apart, gives room back after a failure, and lets waiting callers give up', async () => {
    const gate = createCallGate(1);
    const held = gate.run('a', undefined, () => turn());
    const controller = new AbortController();
    const gaveUp = gate.run('a', controller.signal, async () => 'never');
    expect(await gate.run('b', undefined, async () => 'at once')).toBe('at once');
    controller.abort(new Error('enough'));
    await expect(gaveUp).rejects.toThrow('enough');
    await held;
    await expect(
      gate.run('a', undefined, async () => {
        throw new Error('broken');
      }),
    ).rejects.toThrow('broken');
    expect(await gate.run('a', undefined, async () => 'free')).toBe('free');
  });
});
