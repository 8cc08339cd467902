import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEventStream, type ServerEvent } from './event-stream.ts';

const encoder = new TextEncoder();

/** A body that comes in pieces. */
function bodyOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function eventsOf(pieces: readonly Uint8Array[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of readEventStream(bodyOf(pieces), 1000)) events.push(event);
  return events;
}

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
])('events, their fields, and comments between them, with %s', async (_, end) => {
  const lines = [
    'id: 1:7',
    'event: delta',
    'data: {"a":',
    'data: 1}',
    '',
    ': still here',
    '',
    'data:x',
    '',
    'data: cut off',
  ];
  expect(await eventsOf([encoder.encode(lines.join(end))])).toEqual([
    { id: '1:7', event: 'delta', data: '{"a":\n1}' },
    { id: null, event: 'message', data: 'x' },
  ]);
});

test('wherever the body is cut, its events are the same', async () => {
  const text = encoder.encode('id: 1\r\nevent: delta\r\ndata: "ä€😀"\r\n\r\n: ping\n\ndata: 2\n\n');
  const whole = await eventsOf([text]);
  expect(whole).toHaveLength(2);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(text.length)), async (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((to, index) => text.slice(places[index], to));
      expect(await eventsOf(pieces)).toEqual(whole);
    }),
  );
});

test('a body that is silent for too long is given up', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    cancel() {
      isCancelled = true;
    },
  });
  await expect(readEventStream(body, 20).next()).rejects.toThrow('no sign of life for 0.02 s');
  expect(isCancelled).toBe(true);
});
