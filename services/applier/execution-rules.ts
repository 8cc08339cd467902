import { ConfigurationError } from '#libs/domain';

/**
 * Reads `<strategy>=ANY` and `<strategy>=ALWAYS`.
 * @throws ConfigurationError naming the first entry that is neither.
 */
export function parseExecutionRules(entries: readonly string[]): Record<string, 'ALWAYS' | 'ANY'> {
  const rules: Record<string, 'ALWAYS' | 'ANY'> = {};
  for (const entry of entries) {
    const [strategy = '', rule = ''] = entry.split('=');
    if (strategy === '' || (rule !== 'ALWAYS' && rule !== 'ANY')) {
      const hint = 'must list <strategy>=ANY or <strategy>=ALWAYS';
      throw new ConfigurationError([`VIGIL_APPLIER_EXECUTION_RULES ${hint}, not "${entry}"`]);
    }
    rules[strategy] = rule;
  }
  return rules;
}
