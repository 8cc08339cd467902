import { constants, createGunzip, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createFrameCoding } from './frame-coding.ts';

const frames = [...'abc'].map((name) => Buffer.from(`event: deltas\ndata: ${name.repeat(2000)}\n\n`));

it('compresses only for clients that accept gzip', () => {
  const names = ['gzip', 'deflate, GZIP;q=0.5', 'br, *', 'gzip;q=0', 'br', undefined, '*;q=0.0'];
  expect(names.map((accepted) => createFrameCoding(accepted).name)).toEqual([
    'gzip',
    'gzip',
    'gzip',
    null,
    null,
    null,
    null,
  ]);
  expect(createFrameCoding(undefined).encode(frames[0] as Buffer)).toBe(frames[0]);
});

it('makes a stream that any client can read to its end, whichever frames it got, and each frame when it comes', async () => {
  const gzip = createFrameCoding('gzip');
  const bytes = frames.map((frame) => gzip.encode(frame));
  const whole = Buffer.concat([...bytes, gzip.end()]);
  expect(gunzipSync(whole)).toEqual(Buffer.concat(frames));
  expect(whole.length).toBeLessThan(Buffer.concat(frames).length / 10);
  expect(gunzipSync(createFrameCoding('gzip').end())).toHaveLength(0);

  const reader = createGunzip({ flush: constants.Z_SYNC_FLUSH });
  const read: Buffer[] = [];
  reader.on('data', (part: Buffer) => read.push(part));
  for (const [at, part] of bytes.entries()) {
    reader.write(part);
    await expect.poll(() => Buffer.concat(read).length).toBe(Buffer.concat(frames.slice(0, at + 1)).length);
  }
  reader.destroy();
});

it('compresses a frame for all clients once', () => {
  const [first, second] = [createFrameCoding('gzip'), createFrameCoding('gzip')];
  for (const coding of [first, second]) coding.encode(frames[0] as Buffer);
  expect(first.encode(frames[1] as Buffer)).toBe(second.encode(frames[1] as Buffer));
});
