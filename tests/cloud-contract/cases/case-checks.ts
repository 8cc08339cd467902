import assert from 'node:assert/strict';
import type { CloudCheck } from '../cloud-check.ts';
import { blockStorageCases } from './block-storage-cases.ts';
import { computeReadCases } from './compute-read-cases.ts';
import { computeRefusalCases } from './compute-refusal-cases.ts';
import { type ContractCase, titleOf } from './contract-case.ts';
import { identityCases } from './identity-cases.ts';
import { moveCases } from './move-cases.ts';
import { placementCases } from './placement-cases.ts';
import { readRecordedOutcomes } from './recorded-outcomes.ts';
import { runCase } from './run-case.ts';

const cases: readonly ContractCase[] = [
  ...identityCases,
  ...computeReadCases,
  ...computeRefusalCases,
  ...placementCases,
  ...blockStorageCases,
  ...moveCases,
];

const outcomes = readRecordedOutcomes();

/** One check for each case: the outcome is the recorded one. A cloud that records writes it instead. */
export const caseChecks: readonly CloudCheck[] = cases.map((one) => ({
  name: titleOf(one),
  async run(target) {
    if ((await target.cloud.identity.endpoint(one.service)) === null) return;
    const outcome = await runCase(target, await target.participants(), one);
    if (outcome === null) return;
    if (target.isRecording) outcomes.record(titleOf(one), outcome);
    assert.deepEqual(outcome, outcomes.find(titleOf(one)));
  },
}));
