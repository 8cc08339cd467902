import { gateCheck } from '#libs/dependencies';
import type { ConfigurationCheck, EnvSchema } from '#libs/service-kit/env';
import { commonEnv, databaseIsNamed } from '#libs/service-kit/env';
import { apiChecks } from '../api/checks.ts';
import { apiEnv } from '../api/env.ts';
import { applierChecks } from '../applier/checks.ts';
import { applierEnv } from '../applier/env.ts';
import { coordinatorEnv } from '../coordinator/env.ts';
import { decisionEngineChecks } from '../decision-engine/checks.ts';
import { decisionEngineEnv } from '../decision-engine/env.ts';
import { schedulerChecks } from '../scheduler/checks.ts';
import { schedulerEnv } from '../scheduler/env.ts';
import { simulatorEnv } from '../simulator/env.ts';
import { supervisorEnv } from '../up/env.ts';

/** The keys of one kind of process. */
export interface ConfigurationSection {
  /** For headings. */
  title: string;
  /** Word after `vigil`. Null for the keys of all. */
  process: string | null;
  schema: EnvSchema;
  /** Checks of several keys together. Undefined for processes that do not run in production. */
  checks?: readonly ConfigurationCheck<EnvSchema>[];
}

/** Makes a section. Checks are written for the keys of their process, which `checkConfiguration` passes to them. */
function section<Schema extends EnvSchema>(
  process: string,
  schema: Schema,
  checks?: readonly ConfigurationCheck<Schema & typeof commonEnv>[],
): ConfigurationSection {
  return {
    title: `\`vigil ${process}\``,
    process,
    schema,
    checks: checks as unknown as ConfigurationSection['checks'],
  };
}

/** All keys from the schemas of the processes. */
export const configurationSections: readonly ConfigurationSection[] = [
  { title: 'Every process', process: null, schema: commonEnv },
  section('up', supervisorEnv),
  section('api', apiEnv, apiChecks),
  section('decision-engine', decisionEngineEnv, decisionEngineChecks),
  section('applier', applierEnv, applierChecks),
  section('scheduler', schedulerEnv, schedulerChecks),
  section('coordinator', coordinatorEnv, [databaseIsNamed, gateCheck('scheduler')]),
  section('simulator', simulatorEnv),
];
