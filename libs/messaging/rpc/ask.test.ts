import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { answer, ask, type RequestHandler, type RpcTopic } from '../index.ts';
import { answerRequest, readAnswer } from '../remote-answer.ts';

interface Old {
  host: string;
}
interface New {
  hosts: string[];
}

/** Knowledge of release N-1, and of release N, in which a question names several hosts and so does its answer. */
const former: RpcTopic<Old, { load: number }> = { topic: 'load.get', timeoutMs: 1000 };
const newest: RpcTopic<New, { loads: number[] }> = {
  topic: 'load.get',
  timeoutMs: 1000,
  version: 2,
  previous: {
    question: {
      upgrade: ({ host }) => ({ hosts: [host ?? ''] }),
      downgrade: ({ hosts }) => ({ host: (hosts as string[])[0] ?? '' }),
    },
    answer: {
      upgrade: ({ load }) => ({ loads: [load ?? 0] }),
      downgrade: ({ loads }) => ({ load: (loads as number[])[0] ?? 0 }),
    },
  },
};

/** A bus with one responder, which notes the schemas that it was asked in. */
function createLine() {
  let responder: RequestHandler = () => Promise.reject(new Error('nobody'));
  const asked: unknown[] = [];
  const bus = {
    async respond(_topic: string, handler: RequestHandler) {
      responder = handler;
      return { stop: async () => undefined };
    },
    async request(topic: string, body: JsonObject) {
      asked.push(body.schema);
      return readAnswer(topic, await answerRequest(responder, body));
    },
  };
  return { bus, asked };
}

it('the newer asker asks the older responder in its version, and gets an answer of its own', async () => {
  const { bus, asked } = createLine();
  await answer(bus, former, async ({ host }) => ({ load: host.length }));
  expect(await ask(bus, newest, { hosts: ['abc'] })).toEqual({ loads: [3] });
  expect(asked).toEqual(['load.get/2', 'load.get/1']);
});

it('the newer responder answers the older asker in its version', async () => {
  const { bus, asked } = createLine();
  await answer(bus, newest, async ({ hosts }) => ({ loads: hosts.map(({ length }) => length) }));
  expect(await ask(bus, former, { host: 'abcd' })).toEqual({ load: 4 });
  expect(await ask(bus, newest, { hosts: ['a', 'bc'] })).toEqual({ loads: [1, 2] });
  expect(asked).toEqual(['load.get/1', 'load.get/2']);
});

it('refusals travel unchanged between versions', async () => {
  const { bus } = createLine();
  const refusal = { error: { code: 'host_not_found', message: 'no such host' } } as const;
  await answer(bus, newest, async () => refusal);
  expect(await ask(bus, former, { host: 'x' })).toEqual(refusal);
  await answer(bus, former, async () => refusal);
  expect(await ask(bus, newest, { hosts: ['x'] })).toEqual(refusal);
});

it('a version two away goes back to who asked it', async () => {
  const { bus, asked } = createLine();
  await answer(bus, former, async () => ({ load: 0 }));
  await expect(ask(bus, { ...newest, version: 3 }, { hosts: ['x'] })).rejects.toMatchObject({
    remoteCode: 'version_unknown',
    message: 'load.get: version load.get/2 is not known here; the newest that is known is 1',
  });
  expect(asked).toEqual(['load.get/3', 'load.get/2']);
});
