import type { FrameTexts } from '../texts.ts';
import { charts } from './charts.ts';
import { common } from './common.ts';
import { forms } from './forms.ts';
import { overview } from './overview.ts';
import { session } from './session.ts';
import { shell } from './shell.ts';
import { tables } from './tables.ts';

/** Texts of the frame and the overview, which are loaded first, in German. */
export const de: FrameTexts = {
  ...charts,
  ...common,
  ...forms,
  ...overview,
  ...session,
  ...shell,
  ...tables,
};

export { deNames } from './names.ts';
