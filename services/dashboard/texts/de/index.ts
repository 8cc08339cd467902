import type { Catalogue } from '../texts.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';

/** All texts in German. */
export const de: Catalogue = { ...session, ...shell };
