import Table from 'cli-table3';
import { InvalidInputError, messageOf } from '#libs/domain';
import { benchArguments } from '../../bench/arguments.ts';
import { startStackServers } from '../stack/servers.ts';
import { createEvidenceFolder, type EvidenceFolder } from './evidence.ts';
import { runSoak, type SoakResult } from './run-soak.ts';
import { verdictNames } from './verdict.ts';

const help = `npm run soak -- [--minutes N] [--audits N] [--appliers N] [--seed S] [--pressure PERCENT | --busy N] [--out FOLDER] [--json]

--minutes N         length (60); started plans end after it
--audits N          continuous audits with opposite and equal aims and auto_trigger (6)
--appliers N        appliers; the first of several has slow connections (2)
--seed S            of world, audits, operators and troubles; random unless given
--pressure PERCENT  all processes of Vigil share PERCENT of one core (a control group)
--busy N            N endless loops run beside the stack
--out FOLDER        logs of all processes and the evidence of each fault (.vigil/soak/TIME-seed-S)
--json              one JSON document on standard output, and no table

Ctrl-C (or SIGINT) ends it early, with a verdict on the time until then.
Exit code 1 when a verdict is not 0, 2 when the soak could not run. verify/soak/README.md describes the verdicts.
`;

const meanings: Record<(typeof verdictNames)[number], string> = {
  own_refusals: 'requests that the cloud refused because of an earlier plan',
  disabled_hosts: 'hosts left disabled without an order',
  overlapping_plans: 'pairs of plans that changed one host at the same time',
  untrue_outcomes: 'measured outcomes that the cloud contradicts',
  healthy_restarts: 'ends of healthy processes',
  stuck_work: 'plans, actions and audits without progress',
  growth: 'memory, descriptors or rows above their bounds',
};

async function main(args: string[]): Promise<void> {
  const { json, numbers, texts } = benchArguments(
    args,
    { minutes: 60, audits: 6, appliers: 2, seed: Math.floor(Math.random() * 1_000_000) + 1, pressure: 0, busy: 0 },
    [],
    ['out'],
  );
  if (numbers.pressure > 0 && numbers.busy > 0) {
    throw new InvalidInputError('--busy', 'cannot be combined with --pressure');
  }
  const started = new Date();
  const name = `${started.toISOString().slice(0, 19).replaceAll(':', '-')}-seed-${numbers.seed}`;
  const folder = createEvidenceFolder(texts.out ?? `.vigil/soak/${name}`);
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  onProgress(`soak of ${numbers.minutes} minutes, seed ${numbers.seed}, evidence in ${folder.path}`);
  const servers = await startStackServers();
  try {
    const result = await runSoak({ ...numbers, servers, folder, onProgress, signal: endOnInterrupt(onProgress) });
    finish(result, { ...numbers, seconds: Math.round((Date.now() - started.getTime()) / 1000) }, folder, json);
  } finally {
    await servers.stop();
  }
}

/** The first SIGINT ends the soak, the second one this process. */
function endOnInterrupt(onProgress: (line: string) => void): AbortSignal {
  const ending = new AbortController();
  process.once('SIGINT', () => {
    onProgress('the soak ends early and judges the time until now');
    ending.abort();
  });
  return ending.signal;
}

function finish({ verdict, record, operators }: SoakResult, run: object, folder: EvidenceFolder, json: boolean): void {
  const verdicts = Object.fromEntries(verdictNames.map((name) => [name, verdict.faults[name].length]));
  const document = {
    ...run,
    verdicts,
    counts: verdict.counts,
    operators: { ...operators.counts, failures: operators.failures },
    faults: Object.fromEntries(verdictNames.map((name) => [name, verdict.faults[name].map(({ text }) => text)])),
    evidence: folder.path,
  };
  folder.write(verdict, record, document);
  if (json) process.stdout.write(`${JSON.stringify(document)}\n`);
  else printTable(document);
  if (Object.values(verdicts).some((count) => count > 0)) process.exitCode = 1;
}

function printTable({
  verdicts,
  counts,
  faults,
  evidence,
}: {
  verdicts: Record<string, number>;
  counts: Record<string, number>;
  faults: Record<string, string[]>;
  evidence: string;
}): void {
  const judged = new Table({ head: ['verdict', 'counts', 'found'], style: { head: [], border: [] } });
  for (const name of verdictNames) judged.push([name, meanings[name], String(verdicts[name])]);
  const figures = new Table({ head: ['figure', 'number'], style: { head: [], border: [] } });
  for (const [name, count] of Object.entries(counts)) figures.push([name, String(count)]);
  const lines = Object.entries(faults).flatMap(([name, texts]) => texts.map((text) => `${name}: ${text}`));
  process.stdout.write(`${judged.toString()}\n${figures.toString()}\n`);
  for (const line of lines) process.stdout.write(`${line}\n`);
  process.stdout.write(`evidence: ${evidence}\n`);
}

try {
  if (process.argv.includes('--help')) process.stdout.write(help);
  else await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`soak: ${messageOf(error)}\n`);
  process.exitCode = 2;
}
