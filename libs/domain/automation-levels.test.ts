import { expect, it } from 'vitest';
import {
  type AutomationFacts,
  automationLevelOf,
  automationRefusals,
  defaultAutomationRules,
  parseAutomationRules,
} from './automation-levels.ts';

const cpu = {
  quantity: 'cpu_load',
  deviation: { before: 21, after: 6 },
  highestBefore: 92,
  fullest: { hostname: 'compute-001', before: 92, after: 61 },
} as const;
const memory = {
  quantity: 'memory',
  deviation: { before: 7, after: 22 },
  highestBefore: 70,
  fullest: { hostname: 'compute-080', before: 66, after: 94 },
} as const;
const good: AutomationFacts = {
  quantities: [cpu],
  reserve: [],
  freedHosts: 0,
  revertible: new Map([['migrate', 'exact']]),
};
const refusals = (facts: Partial<AutomationFacts>) =>
  automationRefusals(defaultAutomationRules[2], { ...good, ...facts });

it.each([
  ['a gain without side effects', {}, []],
  ['a side effect', { quantities: [cpu, memory] }, ['raises memory of compute-080 to 94 %, limit 90']],
  ['a lost reserve', { reserve: [{ domain: 'zone az1', change: 'lost' }] }, [/zone az1 loses the reserve/]],
  [
    'an action without a way back',
    { revertible: new Map([['evacuate', 'impossible']]) },
    [/evacuate cannot be undone/],
  ],
  ['an unknown way back', { revertible: new Map([['mine', null]]) }, [/mine may not be undone/]],
  ['no gain', { quantities: [] }, ['gains 0 points and frees 0 hosts, least 5 points or 1 freed host']],
  ['a freed host', { quantities: [], freedHosts: 1 }, []],
  ['unknown effects', { quantities: undefined }, ['its effect on the hosts is not known']],
] as [string, Partial<AutomationFacts>, (string | RegExp)[]][])('level 2 judges %s', (_, facts, expected) => {
  const found = refusals(facts);
  expect(found).toHaveLength(expected.length);
  found.forEach((text, at) => void expect(text).toMatch(expected[at] as string));
});

it('level 3 has no limits by default', () => {
  expect(automationRefusals(defaultAutomationRules[3], { ...good, quantities: [memory] })).toEqual([]);
});

it('auto_trigger of Watcher is level 3, and level 1 without it', () => {
  const level = (automationLevel: number | null, autoTrigger: boolean) =>
    automationLevelOf({ automationLevel, autoTrigger });
  expect([level(null, true), level(null, false)]).toEqual([3, 1]);
  expect([level(0, false), level(1, false), level(2, true), level(3, true)]).toEqual([0, 1, 2, 3]);
  // A client of Watcher, or an API of the release before, changed auto_trigger.
  expect([level(2, false), level(0, true)]).toEqual([1, 3]);
});

it.each([
  ['[', 'must be JSON'],
  ['[]', 'must be an object'],
  ['{"1": {}}', 'only levels 2 and 3 start plans'],
  ['{"2": {"least_gain_point": 1}}', 'did you mean least_gain_points?'],
  ['{"2": {"least_gain_points": -1}}', 'must be a number from 0'],
  ['{"3": {"may_lose_reserve": 1}}', 'must be true or false'],
])('rules are refused: %s', (text, reason) => {
  expect(() => parseAutomationRules(text)).toThrow(reason);
});

it('a level without a rule has its default', () => {
  expect(parseAutomationRules('{"3": {"highest_share_percent": 80}}')).toEqual({
    2: defaultAutomationRules[2],
    3: { highestSharePercent: 80 },
  });
});
