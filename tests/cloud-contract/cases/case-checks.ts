import assert from 'node:assert/strict';
import type { CloudCheck } from '../cloud-check.ts';
import { blockStorageCases } from './block-storage-cases.ts';
import { computeReadCases } from './compute-read-cases.ts';
import { computeRefusalCases } from './compute-refusal-cases.ts';
import { type ContractCase, titleOf } from './contract-case.ts';
import { identityCases } from './identity-cases.ts';
import { placementCases } from './placement-cases.ts';
import { readRecordedOutcomes } from './recorded-outcomes.ts';
import { runCase } from './run-case.ts';

/** Servers of `createParticipants` whose hints, flavor or zone decide about their destination. */
const restricted = ['plain', 'together', 'apart', 'asked', 'near', 'capable', 'pinned'];

function move(server: string, minor: number, body: object): ContractCase {
  return {
    service: 'compute',
    method: 'POST',
    path: `/servers/{${server}}/action`,
    microversion: `2.${minor}`,
    body,
    moves: server,
  };
}

/** Moves off the host that all participants share, to the named one and to one of Nova's choice, with their ends. */
const moveCases: readonly ContractCase[] = restricted.flatMap((server) => [
  move(server, 30, { 'os-migrateLive': { host: '{other}', block_migration: 'auto' } }),
  move(server, 104, { 'os-migrateLive': { host: '{other}', block_migration: 'auto' } }),
  move(server, 104, { migrate: { host: '{other}' } }),
]);

const cases: readonly ContractCase[] = [
  ...identityCases,
  ...computeReadCases,
  ...computeRefusalCases,
  ...placementCases,
  ...blockStorageCases,
  ...moveCases,
];

const outcomes = readRecordedOutcomes();

/** Highest microversion of the Nova whose outcomes are recorded. */
const recordedNova = '2.104';

/** One check for each case: the outcome is the recorded one. A cloud that records writes it instead. */
export const caseChecks: readonly CloudCheck[] = cases.map((one) => ({
  name: titleOf(one),
  needsNova: recordedNova,
  async run(target) {
    if ((await target.cloud.identity.endpoint(one.service)) === null) return;
    const outcome = await runCase(target, await target.participants(), one);
    if (outcome === null) return;
    if (target.isRecording) outcomes.record(titleOf(one), outcome);
    assert.deepEqual(outcome, outcomes.find(titleOf(one)));
  },
}));
