import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** A request to a scripted server. */
export interface Asked {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** One response: JSON, a text, or none at all. */
export type ScriptedResponse = { status: number; body: unknown } | 'never';

/** An HTTP server that returns scripted responses, for faults that real servers do not have on demand. */
export async function startScriptedServer(script: (asked: Asked, count: number) => ScriptedResponse) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://scripted');
    const one = { path: url.pathname, query: url.searchParams, headers: request.headers };
    asked.push(one);
    const answer = script(one, asked.length);
    if (answer === 'never') return;
    response.statusCode = answer.status;
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    host: `127.0.0.1:${address.port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
