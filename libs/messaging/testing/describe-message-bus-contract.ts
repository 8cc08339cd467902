import { describe } from 'vitest';
import { describeDeadLetters } from './dead-letter-contract.ts';
import { describeFailures, describeSilence } from './failure-contract.ts';
import type { CreateHarness } from './harness.ts';
import { describeProperties } from './property-contract.ts';
import { describeRequests } from './rpc-contract.ts';
import { describeWork } from './work-contract.ts';

/** The tests that every adapter of the message bus passes. */
export function describeMessageBusContract(adapter: string, createHarness: CreateHarness): void {
  describe(`message bus contract: ${adapter}`, () => {
    describeWork(createHarness);
    describeDeadLetters(createHarness);
    describeRequests(createHarness);
    describeFailures(createHarness);
    describeSilence(createHarness);
    describeProperties(createHarness, 6);
  });
}
