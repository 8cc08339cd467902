import { handOverRules } from './hand-over.ts';
import { instanceRules } from './instance-rules.ts';
import { quarantineRule } from './quarantine-rule.ts';
import { leaderRule, orphanRule } from './reconcile-rules.ts';
import type { RecoveryRule } from './recovery-rule.ts';

/** The table of the recovery coordinator. A rule that is added here is in force. */
export const recoveryRules: readonly RecoveryRule[] = [
  ...handOverRules,
  ...instanceRules,
  leaderRule,
  orphanRule,
  quarantineRule,
];
