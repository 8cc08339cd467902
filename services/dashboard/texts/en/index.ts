import { dialogs } from './dialogs.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';

/** All texts in English. */
export const en = { ...dialogs, ...session, ...shell } as const;
