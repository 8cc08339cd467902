import type { PageTexts } from '../texts.ts';
import { audit } from './audit.ts';
import { cluster } from './cluster.ts';
import { host } from './host.ts';
import { operation } from './operation.ts';
import { past } from './past.ts';
import { period } from './period.ts';
import { plan } from './plan.ts';
import { rules } from './rules.ts';
import { trends } from './trends.ts';
import { whatIf } from './what-if.ts';
import { wizard } from './wizard.ts';

/** Texts of all other pages in German. */
export const dePages: PageTexts = {
  ...audit,
  ...cluster,
  ...host,
  ...operation,
  ...past,
  ...period,
  ...plan,
  ...rules,
  ...trends,
  ...whatIf,
  ...wizard,
};
