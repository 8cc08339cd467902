import { expect, it } from 'vitest';
import type { JsonObject } from '#libs/domain';
import { callRpc, type RequestHandler, type RpcTopic, serveRpc } from '../index.ts';
import { handleRequest, readResponse } from '../remote-response.ts';

const loadGet: RpcTopic<{ host: string }, { load: number }> = { topic: 'load.get', timeoutMs: 1000 };

/** A bus with one responder, which records the schemas of its requests. */
function createLine() {
  let responder: RequestHandler = () => Promise.reject(new Error('nobody'));
  const requested: unknown[] = [];
  const bus = {
    async respond(_topic: string, handler: RequestHandler) {
      responder = handler;
      return { stop: async () => undefined };
    },
    async request(topic: string, body: JsonObject) {
      requested.push(body.schema);
      return readResponse(topic, await handleRequest(responder, body));
    },
  };
  return { bus, asked: requested };
}

it('a request carries its version, and its response or refusal returns unchanged', async () => {
  const { bus, asked } = createLine();
  await serveRpc(bus, loadGet, async ({ host }) => ({ load: host.length }));
  expect(await callRpc(bus, loadGet, { host: 'abcd' })).toEqual({ load: 4 });
  expect(asked).toEqual(['load.get/1']);
  const refusal = { error: { code: 'host_not_found', message: 'no such host' } } as const;
  await serveRpc(bus, loadGet, async () => refusal);
  expect(await callRpc(bus, loadGet, { host: 'x' })).toEqual(refusal);
});

it('a request without a version is of the first', async () => {
  const { bus } = createLine();
  await serveRpc(bus, loadGet, async ({ host }) => ({ load: host.length }));
  expect(await bus.request('load.get', { host: 'abc' })).toEqual({ load: 3 });
});

it('an unknown version is refused to its requester', async () => {
  const { bus, asked } = createLine();
  await serveRpc(bus, loadGet, async () => ({ load: 0 }));
  await expect(callRpc(bus, { ...loadGet, version: 2 }, { host: 'x' })).rejects.toMatchObject({
    remoteCode: 'version_unknown',
    message: 'load.get: version load.get/2 is not known here; the newest that is known is 1',
  });
  expect(asked).toEqual(['load.get/2']);
});
