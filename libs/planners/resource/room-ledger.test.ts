import { describe, expect, it } from 'vitest';
import { createRoomLedger } from './room-ledger.ts';

describe('room ledger', () => {
  it('gives free room first, then the room that tasks release', () => {
    const ledger = createRoomLedger();
    ledger.open(1, 4);
    ledger.release(1, 3, 10);
    ledger.release(1, 3, 11);
    expect([...ledger.draw([[1, 4]])]).toEqual([]);
    expect([...ledger.draw([[1, 2]])]).toEqual([10]);
    expect([...ledger.draw([[1, 2]])]).toEqual([10, 11]);
    expect([...ledger.draw([[1, 2]])]).toEqual([11]);
    expect(ledger.covers([[1, 1]])).toBe(false);
  });

  it('on an overcommitted host waits for every task that reduces the excess', () => {
    const ledger = createRoomLedger();
    ledger.open(1, -3);
    ledger.release(1, 2, 10);
    expect(ledger.covers([[1, 1]])).toBe(false);
    ledger.release(1, 2, 11);
    expect(ledger.covers([[1, 1]])).toBe(true);
    expect(ledger.draw([[1, 1]])).toEqual(new Set([10, 11]));
    ledger.release(1, 5, 12);
    expect(ledger.draw([[1, 2]])).toEqual(new Set([10, 11, 12]));
  });

  it('requires nothing of unknown pools and for nothing', () => {
    const ledger = createRoomLedger();
    ledger.open(1, -5);
    expect(
      ledger.covers([
        [1, 0],
        [2, 100],
      ]),
    ).toBe(true);
    expect([...ledger.draw([[2, 100]])]).toEqual([]);
  });
});
