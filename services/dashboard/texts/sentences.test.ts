import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deMaintenanceSentences } from './de/maintenance-sentences.ts';
import { deReportSentences } from './de/report-sentences.ts';
import { deSentences } from './de/sentences.ts';
import { literalParts, remembering, type SentenceForm, sentenceReader } from './sentence-forms.ts';

const read = sentenceReader(deSentences, 'de');
const root = join(import.meta.dirname, '../../..');
const folders = [
  ...['libs/actions', 'libs/domain', 'libs/planners', 'libs/plugin-kit', 'libs/strategies'],
  ...['services/applier', 'services/decision-engine', 'services/api', 'services/scheduler'],
];

/** Sources of the services. Texts over several lines are joined. */
function sources(): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.includes('.test.'))
      .map((path) => readFileSync(join(root, folder, path), 'utf8').replaceAll(/['`] \+\s+['`]/g, '')),
  );
}

test('a service writes every sentence that has a translation', () => {
  const texts = sources();
  // `nearestHint` writes this end of a reason, in another file than its start.
  const withoutHint = (english: string) => english.replace('; did you mean {near}?', '');
  // Units in front of a plural, such as `host` of `counted(…, 'host')`, are separate texts.
  const partsOf = (english: string) => literalParts(withoutHint(english)).map((part) => part.trim());
  // Strategies compose the sentences of reports. `tests/tree/german-reports.test.ts` runs the strategies.
  const composed = new Set<SentenceForm>([...deReportSentences, ...deMaintenanceSentences]);
  const wordsOf = (english: string) => partsOf(english).flatMap((part) => part.match(/\w+/g) ?? []);
  const unknown = deSentences.filter((form) => {
    const parts = composed.has(form) ? wordsOf(form[0]) : partsOf(form[0]);
    return !texts.some((source) => parts.every((part) => source.includes(part)));
  });
  expect(unknown.map(([english]) => english)).toEqual([]);
});

test('a translation has the gaps of its sentence, and every sentence has its own', () => {
  const gapsOf = (text: string) => new Set(text.match(/\{\w+\}/g) ?? []);
  for (const [english, translation] of deSentences)
    for (const form of [translation].flat()) expect(gapsOf(form), english).toEqual(gapsOf(english));
  // Gaps for texts hold one with a translation.
  const filled = deSentences.map(([english]) =>
    english
      .replaceAll('{clause}', 'Starts instance 2 again')
      .replaceAll('{sentence}', 'Action plan is paused.')
      .replaceAll(/\{\w+\}/g, '2')
      .replaceAll(/\[(\w+)[^\]]*\]/g, '$1'),
  );
  expect(filled.filter((sentence) => read(sentence) === undefined)).toEqual([]);
  const translated = filled.map(read);
  expect(translated.filter((text, row) => translated.indexOf(text) !== row)).toEqual([]);
});

test('values keep their place, numbers have the format of the language, and inner sentences are translated', () => {
  expect(read('the best plan gains 1.5 points of 100; the minimum gain is 2')).toBe(
    'Der beste Plan gewinnt 1,5 von 100 Punkten; der Mindestgewinn ist 2',
  );
  expect(read('nothing can be gained: no plan needs fewer than 1 host')).toMatch(/weniger als 1 Host aus$/);
  expect(read('nothing can be gained: no plan needs fewer than 1200 hosts')).toMatch(/weniger als 1\.200 Hosts aus$/);
  expect(read('before: the plan ran on an earlier release')).toBe('vorher: Der Plan lief unter einer früheren Version');
  expect(read('compute-1.5 is already in maintenance and has no instance')).toMatch(/^compute-1\.5 ist/);
  expect(
    read(
      'no host is overloaded, and no host can be emptied into the others completely, with the reserve for failures kept',
    ),
  ).toMatch(/geleert werden, wenn die Reserve für Ausfälle bleibt$/);
  expect(read('a sentence of a plugin')).toBeUndefined();
});

test('reasons of migrations are translated with their values and their parts', () => {
  expect(
    read(
      "vm-1 takes CPU load of compute-1 from 90.5 to 60 and of compute-2 from 10 to 40 %, less than 1 % of the plan's gain; it makes room for vm-2 and 1 other instance.",
    ),
  ).toBe(
    'CPU-Last: vm-1 bringt compute-1 von 90,5 auf 60 und compute-2 von 10 auf 40 %, weniger als 1 % des Gewinns des Plans; das macht Platz für vm-2 und 1 weitere Instanz.',
  );
  expect(
    read(
      "vm-1 goes from compute-1 to compute-2: with 3 other migrations that empties compute-1, which takes the hosts in use from 8 to 7, together 50 % of the plan's gain; compute-2 then has 40 of 64 vcpus allocated.",
    ),
  ).toBe(
    'vm-1 zieht von compute-1 nach compute-2 um; mit 3 weiteren Migrationen wird compute-1 leer; statt 8 sind dann 7 Hosts in Nutzung, zusammen 50 % des Gewinns des Plans; auf compute-2 sind dann 40 von 64 vCPUs belegt.',
  );
  expect(
    read(
      "vm-1 goes from compute-1 to compute-2: with 2 other migrations off compute-1 that takes instances that break a rule there from 3 to 0 instances, together 3.5 % of the plan's gain.",
    ),
  ).toMatch(/^Instanzen, die eine Regel verletzen: .* diesen Host von 3 auf 0 Instanzen, zusammen 3,5 % des /);
  expect(
    read(
      'vm-1 takes the CPU usage of compute-1 from 90.5 % to 60 % (threshold 80 %), and that of compute-2, in exchange for vm-2, from 5 % to 35 %. The exchange avoids 120 host minutes near a limit within a day, at a price of 3 host minutes.',
    ),
  ).toBe(
    'CPU-Nutzung: vm-1 bringt compute-1 von 90,5 % auf 60 % (Schwellwert 80 %) und, im Tausch gegen vm-2, compute-2 von 5 % auf 35 %. Der Tausch vermeidet an einem Tag 120 Host-Minuten nahe an einer Grenze und kostet 3 Host-Minuten.',
  );
  expect(
    read(
      'vm-1 leaves compute-1, whose instances (4) all fit elsewhere, and moves to compute-2 (compute-2 has 8.5 free vcpus). The destination is named: Nova does not know the reserve for failures.',
    ),
  ).toBe(
    'vm-1 verlässt compute-1, dessen Instanzen (4) alle anderswo Platz haben, und zieht nach compute-2 (compute-2 hat 8,5 freie vCPUs). Das Ziel ist festgelegt: Nova kennt die Reserve für Ausfälle nicht.',
  );
});

test('failure domains are translated, also in lists, and their names stay', () => {
  expect(read('zone az1')).toBe('Zone az1');
  expect(read('a waits for b: zone az1, storage s keeps room for the failure of 1 host')).toBe(
    'a wartet auf b: Zone az1, Speicher s hält Platz für den Ausfall von 1 Host',
  );
  expect(
    read(
      'a (zone az1), zone-b (aggregate cell) and 2 more stay in use as the reserve for the failure of 1 host of each domain',
    ),
  ).toBe(
    'In Nutzung bleiben als Reserve für den Ausfall von 1 Host jeder Domäne: a (Zone az1), zone-b (Aggregat cell) und 2 weitere',
  );
  expect(
    read(
      'a is the last host in use of zone az1, cell c; the applier refuses to disable the last one of a zone or aggregate',
    ),
  ).toMatch(/von Zone az1, Zelle c; /);
});

test('notes on late and impossible values name their source, where it is known', () => {
  const late = (where: string) => `host_cpu_usage is late${where}: the newest values of 2 resources are up to 90 s old`;
  expect(read(late(' in gnocchi'))).toMatch(/^host_cpu_usage kommt aus gnocchi verspätet: /);
  expect(read(late(''))).toMatch(/^host_cpu_usage kommt verspätet: /);
  const impossible = (where: string) =>
    `host_cpu_usage has impossible values${where}, which count as missing: of 2 resources (such as a, b), up to 110 %, above 100 %`;
  expect(read(impossible(' in gnocchi'))).toMatch(/^host_cpu_usage hat unmögliche Werte aus gnocchi; .*bis zu 110 %/);
  expect(read(impossible(''))).toMatch(/^host_cpu_usage hat unmögliche Werte; /);
});

test('lists that name only the first items are translated within a note', () => {
  expect(
    read('broken today: rule spread: 19 misplaced (vm-1, vm-2, vm-3 and 16 more on compute-2); the plan repairs it'),
  ).toBe(
    'Heute verletzt: Regel spread: 19 falsch platziert (vm-1, vm-2, vm-3 und 16 weitere auf compute-2); der Plan behebt es',
  );
});

test('reasons of strategies that separate neighbours or cool hosts are translated', () => {
  expect(
    read(
      'On compute-1 the L3 cache of vm-1 (priority 1) fell from 4000 to 1500.5 B while that of vm-2 (priority 5) rose from 100 to 9000 B; vm-2 goes to compute-2.',
    ),
  ).toBe(
    'Auf compute-1 fiel der L3-Cache von vm-1 (Priorität 1) von 4.000 auf 1.500,5 B, während der von vm-2 (Priorität 5) von 100 auf 9.000 B stieg; vm-2 zieht nach compute-2.',
  );
  expect(
    read(
      'On compute-1 vm-1 (priority 1) waits for CPUs 12.5 % of the time while vm-2 (priority 5) uses 4 CPUs; vm-2 goes to compute-2.',
    ),
  ).toBe(
    'Auf compute-1 wartet vm-1 (Priorität 1) 12,5 % der Zeit auf CPUs, während vm-2 (Priorität 5) 4 CPUs nutzt; vm-2 zieht nach compute-2.',
  );
  expect(
    read(
      'On compute-1 something waits for CPUs 30 % of the time, and vm-1 has priority 1 while vm-2 (priority 5) uses 4 CPUs; vm-2 goes to compute-2.',
    ),
  ).toMatch(/^Auf compute-1 wartet etwas 30 % der Zeit auf CPUs, und vm-1 hat Priorität 1, während vm-2 /);
  expect(
    read(
      'vm-1 goes to compute-2, since the airflow of compute-1 is 520 (threshold 400) with inlet 20.5 °C, power unknown.',
    ),
  ).toBe(
    'vm-1 zieht nach compute-2: Der Luftstrom von compute-1 ist 520 (Schwellwert 400) bei Zuluft 20,5 °C, Leistung unbekannt.',
  );
  expect(
    read(
      'vm-1 goes to compute-2, since the airflow of compute-1 is 520 (threshold 400) with inlet 20 °C, power 90 W, which hints at faulty hardware.',
    ),
  ).toMatch(/Leistung 90 W, was auf defekte Hardware hindeutet\.$/);
});

test('an addition to a reason without a translation leaves the whole reason in English', () => {
  expect(read('A plugin moves vm-1. It comes from compute-3.')).toBeUndefined();
});

test('a page remembers a limited number of sentences, the newest ones', () => {
  const translated: string[] = [];
  const reader = remembering((sentence) => {
    translated.push(sentence);
    return undefined;
  }, 2);
  for (const sentence of ['a', 'b', 'a', 'c', 'a', 'b']) reader(sentence);
  expect(translated).toEqual(['a', 'b', 'c', 'b']);
});
