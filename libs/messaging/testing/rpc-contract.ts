import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidInputError, type JsonObject } from '#libs/domain';
import { type MessageBus, NoResponderError, RemoteRequestError, RequestTimeoutError } from '#libs/messaging';
import { type BusHarness, type CreateHarness, createHold, isUsable, taskDefinition, until } from './harness.ts';

/** Two buses of all tests. */
interface BusPair {
  harness: BusHarness;
  asking: MessageBus;
  answering: MessageBus;
}

/** Requests, broadcasts and the probe. */
export function describeRequests(createHarness: CreateHarness): void {
  describe('requests and broadcasts', () => {
    const here = {} as BusPair;
    beforeAll(async () => {
      here.harness = await createHarness([taskDefinition()]);
      [here.asking, here.answering] = [await here.harness.createBus(), await here.harness.createBus()];
    });
    afterAll(() => here.harness.dispose());

    testRequests(here);
    testBroadcasts(here);
  });
}

/** Requests, their replies and errors. */
function testRequests(here: BusPair): void {
  it('returns replies with bodies of any size', async () => {
    const responder = await here.answering.respond('echo', async (body) => ({ heard: body.text ?? null }));
    const text = 'é'.repeat(20_000);
    expect(await here.asking.request('echo', { text }, { timeoutMs: 60_000 })).toEqual({ heard: text });
    await responder.stop();
  });

  it('passes the error of the responder on', async () => {
    const responder = await here.answering.respond('failing', async () => {
      throw new InvalidInputError('strategy', 'is not known');
    });
    const error = await here.asking.request('failing', {}, { timeoutMs: 60_000 }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RemoteRequestError);
    expect(error).toMatchObject({
      message: 'failing: strategy: is not known',
      remoteCode: 'invalid_input',
      category: 'invalid-input',
    });
    await responder.stop();
  });

  it('gives up after the time limit', async () => {
    const { released, release } = createHold();
    const responder = await here.answering.respond('slow', async () => {
      await released;
      return {};
    });
    await expect(here.asking.request('slow', {}, { timeoutMs: 250 })).rejects.toThrow(RequestTimeoutError);
    release();
    await responder.stop();
  });

  it('reports a missing responder, also after the responder has ended', async () => {
    await expect(here.asking.request('nobody', {}, { timeoutMs: 60_000 })).rejects.toThrow(NoResponderError);
    const responder = await here.answering.respond('gone', async () => ({}));
    await here.asking.request('gone', {}, { timeoutMs: 60_000 });
    await responder.stop();
    await expect(here.asking.request('gone', {}, { timeoutMs: 60_000 })).rejects.toThrow(NoResponderError);
  });

  it('gives each request to one of several responders', async () => {
    const responses: string[] = [];
    const responders = [];
    for (const [name, bus] of [
      ['a', here.asking],
      ['b', here.answering],
    ] as const) {
      const handler = async (body: JsonObject) => {
        responses.push(`${name}${body.number}`);
        return { number: body.number ?? null };
      };
      responders.push(await bus.respond('shared', handler));
    }
    const numbers = Array.from({ length: 30 }, (_, number) => number);
    const results = await Promise.all(
      numbers.map((number) => here.asking.request('shared', { number }, { timeoutMs: 60_000 })),
    );
    expect(results).toEqual(numbers.map((number) => ({ number })));
    expect(responses.map((response) => Number(response.slice(1))).sort((a, b) => a - b)).toEqual(numbers);
    for (const responder of responders) await responder.stop();
  });
}

/** Broadcasts and the probe. */
function testBroadcasts(here: BusPair): void {
  it('broadcasts to every subscriber of the topic, in order, until it stops', async () => {
    const heard: Record<string, JsonObject[]> = { a: [], b: [], other: [] };
    const subscribers = [
      await here.asking.subscribe('plan.cancel', (body) => heard.a?.push(body)),
      await here.answering.subscribe('plan.cancel', (body) => heard.b?.push(body)),
      await here.answering.subscribe('plan.abort', (body) => heard.other?.push(body)),
    ];
    const bodies = Array.from({ length: 20 }, (_, number) => ({ number, text: 'x'.repeat(number * 600) }));
    for (const body of bodies) await here.asking.broadcast('plan.cancel', body);
    await until('all', () => heard.a?.length === 20 && heard.b?.length === 20);
    expect(heard).toEqual({ a: bodies, b: bodies, other: [] });
    for (const subscriber of subscribers) await subscriber.stop();
    const marks: JsonObject[] = [];
    const marker = await here.asking.subscribe('marker', (body) => marks.push(body));
    await here.asking.broadcast('plan.cancel', { number: 99 });
    await here.asking.broadcast('marker', {});
    await until('the marker', () => marks.length === 1);
    await marker.stop();
    expect(heard).toEqual({ a: bodies, b: bodies, other: [] });
  });

  it('lets a failing subscriber fail alone', async () => {
    const heard: JsonObject[] = [];
    const subscribers = [
      await here.asking.subscribe('noise', () => {
        throw new Error('deaf');
      }),
      await here.asking.subscribe('noise', (body) => heard.push(body)),
    ];
    await here.answering.broadcast('noise', { number: 1 });
    await until('the other', () => heard.length === 1);
    for (const subscriber of subscribers) await subscriber.stop();
  });

  it('brings a probe back', async () => {
    await until('a probe that returns', () => isUsable(here.asking));
  });
}
