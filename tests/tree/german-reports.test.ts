import { expect, it } from 'vitest';
import { randomWorld } from '#libs/random-worlds';
import { deSentences } from '../../services/dashboard/texts/de/sentences.ts';
import { sentenceReader } from '../../services/dashboard/texts/sentence-forms.ts';
import { auditContextOf } from '../../verify/worlds/audit-context.ts';
import { type Audited, type Failed, runAudit } from '../../verify/worlds/run-audit.ts';
import { variantsOf } from '../../verify/worlds/variants.ts';

const read = sentenceReader(deSentences, 'de');
/** Each world runs one variant of so many. */
const every = 3;

function sentencesOf(audited: Audited | Failed): string[] {
  if ('error' in audited) return [audited.error.message];
  const { report, actions } = audited;
  return [
    ...report.notes,
    ...(report.emptyBecause === null ? [] : [report.emptyBecause]),
    ...actions.map(({ reason }) => reason.summary),
  ];
}

it.each([1, 2, 3, 4, 5, 6])('every sentence of a strategy in world %d has a German translation', async (seed) => {
  const world = randomWorld(seed, 12);
  const variants = variantsOf(world).filter((_, row) => (row + seed) % every === 0);
  const sentences: string[] = [];
  for (const variant of variants) sentences.push(...sentencesOf(await runAudit(world, auditContextOf(world), variant)));
  expect(sentences.length).toBeGreaterThan(variants.length);
  expect(sentences.filter((sentence) => read(sentence) === undefined)).toEqual([]);
});
