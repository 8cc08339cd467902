import { session } from './session.ts';
import { shell } from './shell.ts';

/** All texts in English. */
export const en = { ...session, ...shell } as const;
