import { type AlertLabels, alertElements, type JsonObject } from '#libs/domain';
import { invalidField } from '../http/faults/fault.ts';
import { objectField, refuseUnknownOptions, wrongType } from '../http/watcher-text/body-fields.ts';

/** Names of the settings in a body. */
export const settingNames = ['labels', 'repeat_seconds'];
/** A group that fires again within an hour of its last run is not run again. */
export const defaultRepeatSeconds = 3600;
/** A week. */
export const maxRepeatSeconds = 604_800;

const maxLabel = 128;
const labelName = /^[^\p{C}\s]+$/u;

/**
 * The settings in a body that it names.
 * @throws ApiFault 400 that names the field, the reason and, for a misspelt element, the nearest valid one.
 */
export function readAlertSettings(body: JsonObject): { labels?: AlertLabels; repeatSeconds?: number } {
  const labels = labelsField(body);
  const repeatSeconds = repeatField(body);
  return { ...(labels === null ? {} : { labels }), ...(repeatSeconds === null ? {} : { repeatSeconds }) };
}

function labelsField(body: JsonObject): AlertLabels | null {
  const given = objectField(body, 'labels');
  if (given === null) return null;
  refuseUnknownOptions(given, alertElements, 'labels');
  for (const [element, label] of Object.entries(given)) {
    const field = `labels.${element}`;
    if (typeof label !== 'string') throw wrongType(field, label, 'str');
    if (label.length > maxLabel) throw invalidField(field, label.slice(0, 80), `At most ${maxLabel} characters.`);
    if (!labelName.test(label)) throw invalidField(field, label, 'Must be the name of a label, without spaces.');
  }
  return given as AlertLabels;
}

function repeatField(body: JsonObject): number | null {
  const { repeat_seconds: given = null } = body;
  if (given === null) return null;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= maxRepeatSeconds) return given;
  throw invalidField('repeat_seconds', given, `Must be a whole number between 0 and ${maxRepeatSeconds}.`);
}
