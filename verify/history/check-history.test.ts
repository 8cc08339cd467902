import { describe, expect, it } from 'vitest';
import { checkHistory, type HistoryEvent } from './check-history.ts';

const hosts = new Map([
  ['one', ['a', 'b']],
  ['two', ['b', 'c']],
  ['apart', ['d']],
]);
const started = (plan: string, at: number): HistoryEvent[] => [
  { at: at - 1, kind: 'start_requested', start: `${plan} at ${at}`, plan },
  { at, kind: 'held', plan },
  { at, kind: 'start_admitted', start: `${plan} at ${at}` },
];
const claimed = (plan: string, at: number, applier = 'applier'): HistoryEvent => ({
  at,
  kind: 'claimed',
  plan,
  applier,
});
const sent = (plan: string, at: number, host: string, applier = 'applier'): HistoryEvent => ({
  at,
  kind: 'sent',
  plan,
  applier,
  hosts: [host],
});
const ended = (plan: string, at: number): HistoryEvent => ({ at, kind: 'ended', plan });
const refused = (plan: string, from: number, to: number, reason: string, holder: string | null): HistoryEvent[] => [
  { at: from, kind: 'start_requested', start: `refused ${plan}`, plan },
  { at: to, kind: 'start_refused', start: `refused ${plan}`, reason, holder },
];
const kinds = (events: HistoryEvent[]) => checkHistory({ hosts, events }).map(({ kind }) => kind);

describe('the checker of histories accepts', () => {
  it.each<[string, HistoryEvent[]]>([
    ['plans that hold a host in turn', [...started('one', 1), ended('one', 2), ...started('two', 3), ended('two', 4)]],
    [
      'plans side by side on other hosts',
      [...started('one', 1), ...started('apart', 2), ended('one', 3), ended('apart', 4)],
    ],
    [
      'a request that is sent until the last change before the end of its plan',
      [...started('one', 1), claimed('one', 2), sent('one', 2, 'a'), sent('one', 3, 'b'), ended('one', 4)],
    ],
    [
      'a successor that continues the plan of a killed applier',
      [
        ...started('one', 1),
        claimed('one', 2, 'first'),
        sent('one', 2, 'a', 'first'),
        { at: 2, kind: 'killed', applier: 'first' },
        claimed('one', 3, 'second'),
        sent('one', 3, 'b', 'second'),
        ended('one', 4),
      ],
    ],
    [
      'a refusal that names a plan which ended while the start was under way',
      [...started('one', 1), ...refused('two', 1, 2, 'held', 'one'), ended('one', 2)],
    ],
    [
      'a plan that is started again from SUSPENDED',
      [...started('one', 1), { at: 2, kind: 'held', plan: 'one' }, ended('one', 3)],
    ],
  ])('%s', (_, events) => {
    expect(checkHistory({ hosts, events })).toEqual([]);
  });
});

describe('the checker of histories reports', () => {
  it.each<[string, HistoryEvent[], string[]]>([
    [
      'two plans that hold one host at the same time',
      [...started('one', 1), ...started('two', 2), ended('one', 3), ended('two', 4)],
      ['overlap'],
    ],
    [
      'a request of a plan that has ended',
      [...started('one', 1), claimed('one', 2), ended('one', 3), sent('one', 3, 'a')],
      ['stray_request'],
    ],
    ['a request of a plan that was not started', [claimed('one', 1), sent('one', 1, 'a')], ['stray_request']],
    [
      'a request about a host that the plan does not hold',
      [...started('one', 1), claimed('one', 2), sent('one', 2, 'c'), ended('one', 3)],
      ['stray_request'],
    ],
    [
      'a request of an applier whose plan was taken over',
      [
        ...started('one', 1),
        claimed('one', 2, 'first'),
        claimed('one', 3, 'second'),
        sent('one', 3, 'a', 'first'),
        ended('one', 4),
      ],
      ['stray_request'],
    ],
    [
      'a request of a killed applier',
      [
        ...started('one', 1),
        claimed('one', 2),
        { at: 2, kind: 'killed', applier: 'applier' },
        sent('one', 2, 'a'),
        ended('one', 3),
      ],
      ['stray_request'],
    ],
    [
      'a start without a response',
      [{ at: 0, kind: 'start_requested', start: '1', plan: 'one' }],
      ['start_without_outcome'],
    ],
    ['a refusal without a reason', refused('one', 0, 1, ' ', null), ['start_without_outcome']],
    [
      'an admission after which the plan did not hold its hosts',
      [
        { at: 0, kind: 'start_requested', start: '1', plan: 'one' },
        { at: 1, kind: 'start_admitted', start: '1' },
      ],
      ['start_without_outcome'],
    ],
    [
      'a refusal for a plan that ended before',
      [...started('one', 1), ended('one', 2), ...refused('two', 2, 3, 'held', 'one')],
      ['hold_without_end'],
    ],
    ['a plan that never ends', started('one', 1), ['hold_without_end']],
  ])('%s', (_, events, expected) => {
    expect(kinds(events)).toEqual(expected);
  });
});
