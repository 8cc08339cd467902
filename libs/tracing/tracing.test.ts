import { afterEach, expect, test } from 'vitest';
import { silentLogger } from '#libs/domain';
import { type OtlpReceiver, startOtlpReceiver } from '#tests';
import { createOtlpExporter } from './otlp-exporter.ts';
import { currentTraceparent, inSpan, type SpanRecord } from './span.ts';
import { formatTraceparent, parseTraceparent } from './trace-context.ts';
import { createTracer } from './tracer.ts';

const upstream = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const clock = { now: () => 1_800_000_000_000 };

let receiver: OtlpReceiver | undefined;
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

function exporterTo(url: string, counts: Record<string, number>) {
  const metrics = {
    spans(result: string, count: number) {
      counts[result] = (counts[result] ?? 0) + count;
    },
  };
  const resource = { 'service.name': 'vigil-api', 'service.version': '1.2.3' };
  const options = { url, headers: { authorization: 'Bearer secret' }, resource, delayMs: 1, retryMs: 1 };
  return createOtlpExporter(options, { logger: silentLogger, metrics });
}

test.each([
  [upstream, { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true }],
  [upstream.replace(/1$/, '0'), expect.objectContaining({ sampled: false })],
  // A later version may have more fields. The fields of version 00 keep their meaning.
  [upstream.replace(/^00/, '01').concat('-more'), expect.objectContaining({ sampled: true })],
  [upstream.concat('-more'), null],
  [upstream.replace(/^00/, 'ff'), null],
  [upstream.toUpperCase(), null],
  [`00-${'0'.repeat(32)}-b7ad6b7169203331-01`, null],
  [`00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`, null],
  [undefined, null],
  [['00', '01'], null],
])('traceparent %s', (text, expected) => {
  expect(parseTraceparent(text)).toEqual(expected);
});

test('spans continue the trace of the request, through awaits and timers, and arrive complete', async () => {
  receiver = await startOtlpReceiver();
  const counts = {};
  const exporter = exporterTo(`${receiver.url}/`, counts);
  const tracer = createTracer({ sink: exporter, clock, random: () => 0.5 }, { ratio: 0 });
  const other = upstream.replace('0af7', 'ffff');

  const entry = { kind: 'server', parents: [undefined, upstream], related: [upstream, other, null] } as const;
  const work = tracer.run('POST /v1/audits', entry, async (span) => {
    span?.set({ text: 'a', whole: 3, part: 0.5, yes: true, list: ['x'], absent: null });
    await new Promise((resolve) => setTimeout(resolve, 1));
    const child = inSpan('child', {}, async (own) => {
      own?.set({ kept: 'yes' });
      expect(parseTraceparent(currentTraceparent())?.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
      throw new TypeError('broken: amqp://vigil:hush@broker/');
    });
    await expect(child).rejects.toThrow('broken');
  });
  await work;
  expect(currentTraceparent()).toBeNull();
  await exporter.stop();

  const [child, parent] = receiver.spans;
  expect(parent).toMatchObject({
    service: 'vigil-api',
    name: 'POST /v1/audits',
    kind: 2,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    parentSpanId: 'b7ad6b7169203331',
    attributes: { text: 'a', whole: '3', part: 0.5, yes: true, list: ['x'] },
    links: [{ traceId: 'ffff651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }],
    status: {},
  });
  // Times count from one reading of the clock, so that a span never ends before it started.
  const afterReadingMs = Number(BigInt(parent!.startTimeUnixNano) / 1_000_000n) - clock.now();
  expect(afterReadingMs).toBeGreaterThanOrEqual(0);
  expect(afterReadingMs).toBeLessThan(60_000);
  expect(BigInt(parent!.endTimeUnixNano)).toBeGreaterThan(BigInt(parent!.startTimeUnixNano));
  expect(child).toMatchObject({
    parentSpanId: parent!.spanId,
    attributes: { kept: 'yes', 'error.type': 'TypeError' },
    status: { code: 2, message: 'broken: amqp://vigil:[hidden]@broker/' },
  });
  expect(receiver.requests[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: 'Bearer secret' } });
  expect(counts).toEqual({ sent: 2 });
});

test('an unsampled trace continues unrecorded, and passes that on', async () => {
  const ended: SpanRecord[] = [];
  const deps = { sink: { add: (span: SpanRecord) => ended.push(span) }, clock, random: () => 0.5 };
  const tracer = createTracer(deps, { ratio: 0.5 });
  await tracer.run('rare', {}, async () => expect(currentTraceparent()).toMatch(/-00$/));
  await createTracer(deps, { ratio: 0.6 }).run('often', {}, async () => expect(currentTraceparent()).toMatch(/-01$/));
  expect(ended.map(({ name }) => name)).toEqual(['often']);
  expect(formatTraceparent(ended[0]!.context)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
});

test('spans wait for a collector that is unavailable, however long that is', async () => {
  receiver = await startOtlpReceiver((before) => ({ status: before < 8 ? 503 : 200 }));
  const counts: Record<string, number> = {};
  const exporter = exporterTo(receiver.url, counts);
  createTracer({ sink: exporter, clock, random: () => 0 }, { ratio: 1 })
    .start('patient')
    ?.end();
  await expect.poll(() => counts).toEqual({ sent: 1 });
  await exporter.stop();
});

test('spans are sent again to an overloaded collector; refused spans are counted', async () => {
  const responses = [
    { status: 503 },
    { status: 200, body: { partialSuccess: { rejectedSpans: '1' } } },
    { status: 400 },
  ];
  receiver = await startOtlpReceiver((before) => responses[before] ?? { status: 200 });
  const counts: Record<string, number> = {};
  const exporter = exporterTo(receiver.url, counts);
  const tracer = createTracer({ sink: exporter, clock, random: () => 0 }, { ratio: 1 });
  for (const name of ['one', 'two']) tracer.start(name)?.end();
  await expect.poll(() => counts).toEqual({ sent: 1, refused: 1 });
  tracer.start('three')?.end();
  await expect.poll(() => counts).toEqual({ sent: 1, refused: 2 });
  const url = receiver.url;
  await receiver.close();
  receiver = undefined;
  const away = exporterTo(url, counts);
  for (let count = 0; count < 8200; count++) {
    createTracer({ sink: away, clock, random: () => 0 }, { ratio: 1 })
      .start('lost')
      ?.end();
  }
  await away.stop();
  expect(counts.dropped).toBe(8200);
  await exporter.stop();
});
