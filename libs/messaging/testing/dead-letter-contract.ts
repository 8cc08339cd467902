import { describe, expect, it } from 'vitest';
import { InvalidInputError, type Logger, silentLogger } from '#libs/domain';
import {
  ack,
  type CreateHarness,
  collectTasks,
  type HarnessOfTest,
  numberOf,
  publishAll,
  task,
  taskDefinition,
  until,
  useHarness,
} from './harness.ts';

/** Tests of messages that cannot be worked on, and of those of other versions. */
export function describeDeadLetters(createHarness: CreateHarness): void {
  describe('dead letters and versions', () => {
    const here = useHarness(createHarness);

    testBurials(here);
    testUnreadable(here);
    testVersions(here);
  });
}

/** Messages that can never work, and their return. */
function testBurials(here: HarnessOfTest): void {
  it('buries messages at once that can never work', async () => {
    let deliveries = 0;
    await here.bus.consume(
      'task.run',
      async (envelope) => {
        deliveries += 1;
        if (numberOf(envelope) === 1) return { kind: 'dead', reason: 'no such plan' };
        throw new InvalidInputError('plan', 'is not there');
      },
      { prefetch: 1 },
    );
    await publishAll(here.bus, [task(1)]);
    await until('first', async () => (await here.bus.deadLetters(10)).length === 1);
    const [first] = await here.bus.deadLetters(10);
    await until('a later time', () => Date.now() > Date.parse(first?.at ?? ''));
    await publishAll(here.bus, [task(2)]);
    await until('second', async () => (await here.bus.deadLetters(10)).length === 2);
    expect((await here.bus.deadLetters(10)).map(({ reason }) => reason)).toEqual([
      'plan: is not there',
      'no such plan',
    ]);
    expect((await here.bus.deadLetters(1)).map(({ envelope }) => numberOf(envelope))).toEqual([2]);
    expect(deliveries).toBe(2);
  });

  it('sends dead letters again, and discards them, one by one', async () => {
    let isBroken = true;
    const handled: number[] = [];
    await here.bus.consume(
      'task.run',
      async (envelope) => {
        if (isBroken) return { kind: 'dead', reason: 'broken' };
        handled.push(numberOf(envelope));
        expect(envelope.attempt).toBe(0);
        return ack;
      },
      { prefetch: 1 },
    );
    await publishAll(here.bus, [task(1), task(2), task(3)]);
    await until('three', async () => (await here.bus.deadLetterCount()) === 3);
    const idOf = async (number: number) =>
      (await here.bus.deadLetters(10)).find(({ envelope }) => numberOf(envelope) === number)?.id ?? 'none';
    isBroken = false;
    const [second, third] = [await idOf(2), await idOf(3)];
    expect(await here.bus.redriveDeadLetter(second)).toBe(true);
    await until('the second', () => handled.length === 1);
    expect(await here.bus.discardDeadLetter(third)).toBe(true);
    expect(handled).toEqual([2]);
    expect((await here.bus.deadLetters(10)).map(({ envelope }) => numberOf(envelope))).toEqual([1]);
    expect(await here.bus.deadLetterCount()).toBe(1);
    // A removed letter can neither be sent nor discarded again.
    expect(await here.bus.redriveDeadLetter(second)).toBe(false);
    expect(await here.bus.discardDeadLetter('nothing')).toBe(false);
  });

  it('does not send a dead letter again that would only die again', async () => {
    const newer = await here.harness.createBus({ catalogue: [taskDefinition({ version: 2 })] });
    const older = await here.harness.createBus({ newerVersionMs: 0 });
    await publishAll(newer, [task(1, 2)]);
    await collectTasks(older);
    await until('dead letter', async () => (await here.bus.deadLetterCount()) === 1);
    const [letter] = await here.bus.deadLetters(1);
    expect(await here.bus.redriveDeadLetter(letter?.id ?? '')).toEqual({
      refused: expect.stringMatching(/is newer/),
    });
    expect(await here.bus.deadLetterCount()).toBe(1);
  });
}

/** Messages that cannot be decoded. */
function testUnreadable(here: HarnessOfTest): void {
  it('buries an undecodable message with the reason and continues with the next', async () => {
    const microseconds = Date.now() * 1000;
    await here.harness.plant({ content: '{"schema":"task.run/1","number":1}', publishedAt: microseconds });
    await here.harness.plant({ content: '[1]' });
    await here.harness.plant({ content: 'null' });
    await publishAll(here.bus, [task(2)]);
    const received = await collectTasks(here.bus);
    await until('the good one', () => received.length === 1);
    await until('three dead letters', async () => (await here.bus.deadLetterCount()) === 3);
    const letters = await here.bus.deadLetters(10);
    expect(letters.map(({ reason }) => reason).sort()).toEqual([
      `its time of publishing, ${microseconds}, is not a time`,
      expect.stringMatching(/^the body is not valid: body must have required property 'schema'/),
      expect.stringMatching(/^the body is not valid: body must have required property 'schema'/),
    ]);
    expect(letters.map(({ envelope }) => envelope.body)).toContainEqual({ undecodable: '[1]' });
    // It is published anew, so its time is one now.
    const late = letters.find(({ envelope }) => numberOf(envelope) === 1);
    expect(await here.bus.redriveDeadLetter(late?.id ?? '')).toBe(true);
    await until('the late one', () => received.length === 2);
    expect(received.map(numberOf)).toEqual([2, 1]);
  });
}

/** Messages of a newer version. */
function testVersions(here: HarnessOfTest): void {
  it('leaves messages of a newer version to newer processes for a while, without counting', async () => {
    let left = 0;
    const info = (_fields: object, text: string): void => {
      if (text === 'message will be redelivered') left += 1;
    };
    const counting: Logger = { ...silentLogger, info, child: () => counting };
    const older = await here.harness.createBus({ logger: counting });
    const newer = await here.harness.createBus({ catalogue: [taskDefinition({ version: 2 })] });
    await collectTasks(older);
    await publishAll(newer, [task(1, 2)]);
    await until('more reads than deliveries are allowed', () => left > taskDefinition().deliveryLimit);
    const received = await collectTasks(newer);
    await until('the newer process', () => received.length === 1);
    expect(received.map(({ attempt }) => attempt)).toEqual([0]);
    expect(await here.bus.deadLetterCount()).toBe(0);
  });

  it('buries messages of a newer version after a while and keeps older consumers going', async () => {
    const newer = await here.harness.createBus({ catalogue: [taskDefinition({ version: 2 })] });
    const older = await here.harness.createBus({ newerVersionMs: 0 });
    await publishAll(newer, [task(1, 2)]);
    await publishAll(here.bus, [task(2)]);
    const received = await collectTasks(older);
    await until('dead letter', async () => (await here.bus.deadLetters(10)).length === 1);
    expect((await here.bus.deadLetters(1))[0]?.reason).toBe(
      'schema task.run/2 is newer than version 1, the newest known here',
    );
    await until('the other message', () => received.length === 1);
    expect(received.map(numberOf)).toEqual([2]);
  });
}
