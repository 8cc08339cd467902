import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { text, useEnglishTexts } from '../../../../tests/browser/texts.ts';
import { de, deNames } from '../../texts/de/index.ts';
import { dePages } from '../../texts/de/pages.ts';
import { addTexts, setCatalogue } from '../../texts/texts.ts';
import { parameterTitles, summaryWords } from './summary-words.ts';

useEnglishTexts();
afterEach(useEnglishTexts);
const names = { entities: new Map([['server_consolidation', 'Server Consolidation']]), parameters: new Map() };

test('fields and their values are in words', () => {
  const summary = 'goal=server_consolidation, audit_type=ONESHOT, parameters={time_limit min_gain}, force=true';
  expect(summaryWords(summary, names)).toBe(
    'Goal: Server Consolidation · Audit type: One-time · Parameters: Time limit, Min gain · Force: yes',
  );
  expect(summaryWords('question=lose, kind=host, names=[2]', names)).toBe(
    `${text('whatIf.question')}: ${text('whatIf.question.lose')} · Kind: host · Names: 2`,
  );
  expect(summaryWords('question=place, boot_from_volume=false, count=20', names)).toBe(
    `${text('whatIf.question')}: ${text('whatIf.question.place')} · ${text('whatIf.fromVolume')}: no · ${text('whatIf.placed')}: 20`,
  );
});

test('a changed state is a value, and parts of another form stay', () => {
  expect(summaryWords('replace /state CANCELLED, remove /interval, x…', names)).toBe(
    `State: CANCELLED · ${text('field.schedule')}: removed · x…`,
  );
});

test('parameters within a changed audit have their titles', () => {
  expect(summaryWords('replace /parameters/time_limit 5, add /parameters {min_gain}', names)).toBe(
    'Parameters › Time limit: 5 · Parameters: Min gain',
  );
});

interface ApiDocument {
  paths: Record<string, Record<string, { operationId?: string }>>;
}

test('a German page has German names of every change, field and parameter', () => {
  setCatalogue('de', de, deNames);
  addTexts(dePages);
  const changes = ['vigil', 'internal'].flatMap((name) => {
    const path = join(import.meta.dirname, `../../../../openapi/${name}.json`);
    const { paths } = JSON.parse(readFileSync(path, 'utf8')) as ApiDocument;
    return Object.values(paths).flatMap((methods) =>
      ['post', 'put', 'patch', 'delete'].flatMap((method) => methods[method]?.operationId ?? []),
    );
  });
  expect(changes.length).toBeGreaterThan(40);
  expect(changes.filter((change) => deNames[change] === undefined)).toEqual([]);
  const spec = { properties: { time_limit: { 'x-texts': { de: { title: 'Zeitlimit der Suche' } } } } };
  const german = { entities: new Map<string, string>(), parameters: parameterTitles([{ parameters_spec: spec }]) };
  const known = 'parameters={time_limit}, force=true, on_failure=revert, remove /interval';
  expect(summaryWords(known, german).split(' · ')).toEqual([
    `${text('field.parameters')}: Zeitlimit der Suche`,
    `${deNames['field.force']}: ${text('common.yes')}`,
    `${text('field.policy')}: ${deNames.revert}`,
    `${text('field.schedule')}: ${text('log.removed')}`,
  ]);
});
