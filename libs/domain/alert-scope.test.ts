import { expect, it } from 'vitest';
import { type AlertLabels, type AlertScope, alertScopeOf } from './alert-scope.ts';

type Labels = Record<string, string>;
const host: AlertLabels = { host: 'instance' };

it.each<[string, Labels[], AlertLabels, AlertScope]>([
  ['no mapping', [{ instance: 'a' }], {}, null],
  ['a host', [{ instance: 'a', job: 'x' }], host, [{ host: 'a' }]],
  ['a host with a port', [{ instance: 'a.example:9100' }], host, [{ host: 'a.example' }]],
  ['an instance with a colon', [{ vm: 'a:9100' }], { instance: 'vm' }, [{ instance: 'a:9100' }]],
  ['equal alerts', [{ instance: 'a:1' }, { instance: 'a:2' }], host, [{ host: 'a' }]],
  ['alerts without the label', [{ job: 'x' }, { instance: ' ' }], host, []],
  ['alerts of which one has the label', [{ job: 'x' }, { instance: 'b' }], host, [{ host: 'b' }]],
  ['one of two labels', [{ az: 'z' }], { host: 'instance', zone: 'az' }, [{ zone: 'z' }]],
  [
    'all elements',
    [{ a: '1', b: '2', c: '3', d: '4' }],
    { host: 'a', instance: 'b', aggregate: 'c', zone: 'd' },
    [{ host: '1', instance: '2', aggregate: '3', zone: '4' }],
  ],
  ['a label of the prototype', [{}], { host: 'constructor' }, []],
])('the scope of %s', (_, alerts, mapping, scope) => {
  expect(alertScopeOf(alerts, mapping)).toEqual(scope);
});
