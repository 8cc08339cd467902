import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';

/** A span as a collector gets it, with attributes as an object. */
export interface ReceivedSpan {
  /** `service.name` of the sender. */
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  status: { code?: number; message?: string };
}

/** An OpenTelemetry collector that only stores its input. */
export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  requests: { path: string; headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: { arrayValue?: { values: Attribute['value'][] } } & Record<string, unknown>;
}
type RawSpan = Omit<ReceivedSpan, 'service' | 'attributes'> & { attributes: Attribute[] };
interface Exported {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: RawSpan[] }[] }[];
}

/** @param judge returns status and body of each response, by the number of earlier requests. Default: accepts all. */
export async function startOtlpReceiver(
  judge: (before: number) => { status: number; body?: object } = () => ({ status: 200 }),
): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver['requests'] = [];
  const server = createServer(async (request, response) => {
    const { status, body = {} } = judge(requests.length);
    requests.push({ path: request.url ?? '', headers: request.headers });
    const exported = (await json(request)) as Exported;
    if (status === 200) spans.push(...spansOf(exported));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: Exported): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(objectOf(resource.attributes)['service.name']);
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    return spans.map((span) => ({ ...span, service, attributes: objectOf(span.attributes) }));
  });
}

function objectOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue({ arrayValue, ...only }: Attribute['value']): unknown {
  return arrayValue === undefined ? Object.values(only)[0] : arrayValue.values.map(plainValue);
}
