import { describe, expect, it } from 'vitest';
import { faultText } from './fault-text.ts';

describe('fault texts', () => {
  it.each([
    ['Nova', { conflictingRequest: { code: 409, message: 'Cannot migrate' } }, 'Cannot migrate'],
    ['Keystone', { error: { code: 401, message: 'No', title: 'Unauthorized' } }, 'No'],
    ['Placement', { errors: [{ status: 404, title: 'Not Found', detail: 'gone.\n\n really  ' }] }, 'gone. really'],
    ['Ironic', { error_message: '{"faultstring": "node locked"}' }, 'node locked'],
    ['plain text of Ironic', { error_message: 'node locked' }, 'node locked'],
    ['flat', { message: 'flat' }, 'flat'],
    ['none', { servers: [] }, null],
    ['no JSON', null, null],
  ])('of %s', (_, body, expected) => {
    expect(faultText(body)).toBe(expected);
  });
});
