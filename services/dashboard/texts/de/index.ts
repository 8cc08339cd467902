import type { Catalogue } from '../texts.ts';
import { dialogs } from './dialogs.ts';
import { find } from './find.ts';
import { graph } from './graph.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';
import { tables } from './tables.ts';

/** All texts in German. */
export const de: Catalogue = { ...dialogs, ...find, ...graph, ...session, ...shell, ...tables };
