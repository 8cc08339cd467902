import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watcherPolicy, watcherWords } from './watcher-words.ts';

test.each([
  ['watcher-api', '--config-file /etc/watcher/watcher.conf', 'api --config-file /etc/watcher/watcher.conf'],
  [
    'watcher-applier',
    '--log-file /var/log/a.log --config-dir=/etc/watcher/conf.d',
    'applier --config-dir=/etc/watcher/conf.d',
  ],
  ['watcher-decision-engine', '--use-syslog --log-dir=/var/log', 'decision-engine'],
  ['watcher-db-manage', '--config-file /w.conf upgrade', 'db upgrade --config-file /w.conf'],
  ['watcher-db-manage', 'upgrade --revision head', 'db upgrade'],
  ['watcher-db-manage', '--config-file w.conf version', 'db version --config-file w.conf'],
  ['watcher-db-manage', 'purge -d 30 -n 100 --dry-run', 'db purge -d 30 -n 100 --dry-run'],
  ['watcher-status', 'upgrade check --json', 'status upgrade-check --json'],
  ['watcher-sync', '--config-file /w.conf', 'catalogue sync --config-file /w.conf'],
  ['watcher-api', '--version', '--version'],
  ['uwsgi', '--ini /etc/watcher/watcher-api-uwsgi.ini', 'api'],
])('%s %s is vigil %s', (name, argv, words) => {
  expect(watcherWords(name, argv.split(' '))).toEqual({ words: words.split(' '), isDebug: false });
});

test('--debug is the level of the log', () => {
  expect(watcherWords('watcher-applier', ['--debug'])).toEqual({ words: ['applier'], isDebug: true });
});

test.each([
  ['watcher-db-manage', 'stamp', 'there are upgrade, create_schema, version, purge'],
  ['watcher-status', 'downgrade', 'there is upgrade check'],
  ['watcher-command', '', 'there is no command watcher-command'],
])('%s %s is reported as not supported', (name, argv, text) => {
  expect(watcherWords(name, [argv])).toEqual({ fault: expect.stringContaining(text) });
});

test('the policy of Watcher is found without being named, as oslo.policy finds it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-watcher-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const named = ['api', '--config-file', join(folder, 'watcher.conf')];
  expect(watcherPolicy(named, '/nowhere')).toBeNull();
  writeFileSync(join(folder, 'policy.yaml'), '{}');
  expect(watcherPolicy(named, '/nowhere')).toBe(join(folder, 'policy.yaml'));
  expect(watcherPolicy(['api'], folder)).toBe(join(folder, 'policy.yaml'));
});
