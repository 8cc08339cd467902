import { describe, expect, it } from 'vitest';
import { windowAt } from './maintenance-window.ts';

const none = { windowStart: null, windowEnd: null, windowCron: null, windowSeconds: null, windowZone: null };
const at = (text: string) => Date.parse(`2026-11-20T${text}Z`);
const date = (text: string) => new Date(at(text));

describe('a maintenance window', () => {
  it.each([
    ['none', none, '12:00:00', { isOpen: true }],
    ['not begun', { ...none, windowStart: date('13:00:00') }, '12:00:00', { isOpen: false, opensAt: date('13:00:00') }],
    ['begun', { ...none, windowStart: date('11:00:00') }, '12:00:00', { isOpen: true }],
    ['over', { ...none, windowEnd: date('11:00:00') }, '12:00:00', { isOpen: false, opensAt: null }],
  ])('%s', (_name, window, now, expected) => {
    expect(windowAt(window, at(now))).toEqual(expected);
  });

  const nightly = { ...none, windowCron: '0 22 * * *', windowSeconds: 7200 };
  it.each([
    ['before', nightly, '21:59:59', { isOpen: false, opensAt: date('22:00:00') }],
    ['at its begin', nightly, '22:00:00', { isOpen: true }],
    ['inside', nightly, '23:59:59', { isOpen: true }],
    ['after', nightly, '00:00:01', { isOpen: false, opensAt: date('22:00:00') }],
    [
      'beyond the end of all windows',
      { ...nightly, windowEnd: date('20:00:00') },
      '12:00:00',
      { isOpen: false, opensAt: null },
    ],
    [
      'inside when the first day begins later',
      { ...nightly, windowStart: date('22:30:00') },
      '12:00:00',
      { isOpen: false, opensAt: date('22:30:00') },
    ],
    [
      'with the seconds last, as the API takes them',
      { ...nightly, windowCron: '0 22 * * * 30' },
      '12:00:00',
      { isOpen: false, opensAt: date('22:00:30') },
    ],
    [
      'on Saturdays only, with the seconds last',
      { ...nightly, windowCron: '0 3 * * 6 0' },
      '12:00:00',
      { isOpen: false, opensAt: new Date('2026-11-21T03:00:00Z') },
    ],
    [
      'with a text that is not a cron',
      { ...nightly, windowCron: 'soon' },
      '12:00:00',
      { isOpen: false, opensAt: null },
    ],
  ])('every night: %s', (_name, window, now, expected) => {
    expect(windowAt(window, at(now))).toEqual(expected);
  });

  const inBerlin = { ...none, windowCron: '30 2 * * *', windowSeconds: 3600, windowZone: 'Europe/Berlin' };
  it.each([
    ['in winter', '2026-01-10T01:29:59Z', { isOpen: false, opensAt: new Date('2026-01-10T01:30:00Z') }],
    ['in summer', '2026-07-10T01:29:59Z', { isOpen: true }],
    ['that does not exist: at the end of the gap', '2026-03-29T01:00:00Z', { isOpen: true }],
    [
      'that does not exist: not before',
      '2026-03-29T00:59:59Z',
      { isOpen: false, opensAt: new Date('2026-03-29T01:00:00Z') },
    ],
    ['that occurs twice: the first time', '2026-10-25T00:30:00Z', { isOpen: true }],
    [
      'that occurs twice: not again',
      '2026-10-25T01:45:00Z',
      { isOpen: false, opensAt: new Date('2026-10-26T01:30:00Z') },
    ],
  ])('02:30 in Berlin %s', (_name, now, expected) => {
    expect(windowAt(inBerlin, Date.parse(now))).toEqual(expected);
  });

  it('in an unknown zone never opens', () => {
    const lost = { ...inBerlin, windowZone: 'Mars/Olympus' };
    expect(windowAt(lost, at('12:00:00'))).toEqual({ isOpen: false, opensAt: null });
  });
});
