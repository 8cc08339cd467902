import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { BusUnavailableError, RequestTimeoutError } from '#libs/messaging';
import {
  ack,
  type CreateHarness,
  collectTasks,
  createHold,
  isUsable,
  numberOf,
  publishAll,
  task,
  taskDefinition,
  until,
  useHarness,
} from './harness.ts';

/** Tests of connections to the server that break. */
export function describeFailures(createHarness: CreateHarness): void {
  describe('a broken connection', () => {
    const here = useHarness(createHarness, taskDefinition({ deliveryLimit: 50 }), { losesMessagesSoon: true });

    it('loses no message when it is cut again and again', async () => {
      const received = await collectTasks(here.bus, 8);
      const seen = () => new Set(received.map(numberOf)).size;
      const numbers = Array.from({ length: 200 }, (_, number) => number);
      for (let start = 0; start < numbers.length; start += 40) {
        const publishing = publishAll(
          here.bus,
          numbers.slice(start, start + 40).map((number) => task(number)),
        );
        // One cut hits the publishing, the next one also messages in hand.
        if (start % 80 === 0) await until('a delivery', () => seen() > start);
        here.harness.proxy.cut();
        await publishing;
      }
      await until('all', () => seen() === numbers.length);
      await until('the next connection', () => isUsable(here.bus));
      expect(await here.bus.deadLetters(10)).toEqual([]);
    });

    it('rejects with a reason while it is down, and recovers completely', async () => {
      const heard: JsonObject[] = [];
      const received = await collectTasks(here.bus);
      await here.bus.subscribe('news', (body) => heard.push(body));
      await here.bus.respond('ping', async () => ({ pong: true }));
      await here.bus.broadcast('news', { before: true });
      await until('first broadcast', () => heard.length === 1);

      await here.harness.proxy.refuse();
      const [result] = await here.bus.publish([task(1)]);
      expect(result).toEqual(expect.any(String));
      expect(result).not.toMatch(/guest|password/);
      await expect(here.bus.probe()).rejects.toThrow(BusUnavailableError);
      await expect(here.bus.broadcast('news', {})).rejects.toThrow(BusUnavailableError);
      await expect(here.bus.request('ping', {}, { timeoutMs: 2000 })).rejects.toThrow();
      await here.harness.proxy.accept();

      await publishAll(here.bus, [task(2)]);
      await until('delivery', () => received.map(numberOf).includes(2));
      await until('probe', () => isUsable(here.bus));
      await until('an answer', () =>
        here.bus.request('ping', {}, { timeoutMs: 1000 }).then(
          () => true,
          () => false,
        ),
      );
      await here.bus.broadcast('news', { after: true });
      await until('second broadcast', () => heard.length === 2);
      expect(heard[1]).toEqual({ after: true });
    });

    it('delivers a message again that was in hand when the connection broke', async () => {
      const attempts: number[] = [];
      const { released, release } = createHold();
      await here.bus.consume(
        'task.run',
        async ({ attempt }) => {
          attempts.push(attempt);
          if (attempt === 0) await released;
          return ack;
        },
        { prefetch: 1 },
      );
      await publishAll(here.bus, [task(1)]);
      await until('first delivery', () => attempts.length === 1);
      await here.harness.proxy.refuse();
      await until('the loss of the connection', async () => !(await isUsable(here.bus)));
      await here.harness.proxy.accept();
      await until('the next connection', () => isUsable(here.bus));
      release();
      await publishAll(here.bus, [task(2)]);
      await until('the queue continues', () => attempts.length >= 2);
      await until('and is empty', async () => (await here.bus.deadLetters(1)).length === 0);
    });
  });
}

/** Tests of servers that keep the connection and send nothing. */
export function describeSilence(createHarness: CreateHarness): void {
  describe('a silent server', () => {
    const here = useHarness(createHarness);

    it('does not wait forever when the server falls silent', async () => {
      const hasty = await here.harness.createBus({ publishTimeoutMs: 400 });
      here.harness.proxy.freeze();
      const [result] = await hasty.publish([task(1)]);
      expect(result).toMatch(/within 400 ms/);
      await expect(hasty.request('ping', {}, { timeoutMs: 300 })).rejects.toThrow(RequestTimeoutError);
      here.harness.proxy.resume();
      await publishAll(hasty, [task(2)]);
    });

    it('closes although the server falls silent, or dies while it closes', async () => {
      const dying = await here.harness.createBus();
      const silent = await here.harness.createBus({ publishTimeoutMs: 400 });
      here.harness.proxy.freeze();
      await silent.close();
      const closing = dying.close();
      here.harness.proxy.cut();
      await closing;
      await expect(silent.probe()).rejects.toThrow(BusUnavailableError);
      here.harness.proxy.resume();
    });

    it('returns its own error when the connection breaks while it reads dead letters', async () => {
      here.harness.proxy.freeze();
      const reading = Promise.allSettled([here.bus.deadLetters(10), here.bus.deadLetterCount()]);
      here.harness.proxy.cut();
      here.harness.proxy.resume();
      for (const result of await reading) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(BusUnavailableError);
      }
      await until('the next connection', () => isUsable(here.bus));
      expect(await here.bus.deadLetters(10)).toEqual([]);
    });
  });
}
