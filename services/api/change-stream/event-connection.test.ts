import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createEventConnection } from './event-connection.ts';
import { createFrameCoding } from './frame-coding.ts';

it('leaves no listeners behind, however often it has waited', async () => {
  const raw = Object.assign(new EventEmitter(), { writableLength: 1, writableNeedDrain: true });
  const coding = createFrameCoding(undefined);
  const options = { coding, maxWaitingBytes: 100, onDisconnect: () => undefined, onReset: () => undefined };
  const connection = createEventConnection(raw as unknown as ServerResponse, options);
  const before = ['drain', 'close'].map((event) => raw.listenerCount(event));
  for (let round = 0; round < 20; round += 1) {
    const drained = connection.drained();
    raw.emit('drain');
    await drained;
  }
  expect(['drain', 'close'].map((event) => raw.listenerCount(event))).toEqual(before);
});
