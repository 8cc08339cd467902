import { dialogs } from './dialogs.ts';
import { find } from './find.ts';
import { graph } from './graph.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';
import { tables } from './tables.ts';

/** All texts in English. */
export const en = { ...dialogs, ...find, ...graph, ...session, ...shell, ...tables } as const;
