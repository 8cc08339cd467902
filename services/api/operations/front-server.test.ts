import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { openGate } from '#libs/dependencies';
import { createMetrics, createReadiness } from '#libs/service-kit';
import { atEnd } from '#tests';
import { startFrontServer } from './front-server.ts';

// Node checks its connections every 30 s by default, so a slow request would outlive this test.
it('the API ends a request whose headers do not arrive within the limit', { timeout: 15_000 }, async () => {
  const deps = { gate: openGate, readiness: createReadiness(), metrics: createMetrics('test'), mountPrefix: '' };
  const front = await startFrontServer(deps, { host: '127.0.0.1', port: 0, requestTimeoutMs: 500 });
  atEnd(() => front.stop());
  const socket = connect(Number(new URL(front.url).port), '127.0.0.1');
  socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  socket.resume();
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});
