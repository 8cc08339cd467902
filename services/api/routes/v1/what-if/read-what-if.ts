import {
  type JsonObject,
  type JsonValue,
  nearestQuestion,
  whatIfLimits,
  whatIfLosses,
  whatIfQuestions,
  whatIfRatios,
} from '#libs/domain';
import type { ClusterWhatIfRequest } from '#libs/messaging';
import { invalidField } from '../../../http/faults/fault.ts';
import {
  arrayField,
  booleanField,
  objectField,
  refuseUnknownOptions,
  textField,
} from '../../../http/watcher-text/body-fields.ts';

/** Name of the body in refusals. */
export const whatIfArgument = 'what_if';

const longestName = 255;

type Kind = (typeof whatIfQuestions)[number];

/** Fields of each question, in addition to `question`. */
const fields: Record<Kind, readonly string[]> = {
  lose: ['kind', 'names'],
  remove: ['names'],
  add: ['count', 'like'],
  place: ['flavor', 'count', 'zone', 'project_id', 'boot_from_volume'],
  ratio: ['ratios', 'names'],
  move: ['moves'],
};

/**
 * Reads the body of a what-if question.
 * @param projectId of the caller, for which instances are placed unless the body names another
 * @throws ApiFault 400 with the field, and the nearest name where one was meant
 */
export function readWhatIf(body: JsonObject, projectId: string): ClusterWhatIfRequest {
  const question = oneOf(body, 'question', whatIfQuestions);
  refuseUnknownOptions(body, ['question', ...fields[question]], whatIfArgument);
  switch (question) {
    case 'lose':
      return { question, kind: oneOf(body, 'kind', whatIfLosses), names: namesField(body, 1) };
    case 'remove':
      return { question, names: namesField(body, 1) };
    case 'add':
      return { question, count: countField(body, whatIfLimits.added), like: nameField(body, 'like') };
    case 'place':
      return {
        question,
        flavor: nameField(body, 'flavor'),
        count: (body.count ?? null) === null ? null : countField(body, whatIfLimits.placed),
        zone: (body.zone ?? null) === null ? null : nameField(body, 'zone'),
        project_id: (body.project_id ?? null) === null ? projectId : nameField(body, 'project_id'),
        boot_from_volume: booleanField(body, 'boot_from_volume', whatIfArgument),
      };
    case 'ratio':
      return { question, ratios: ratiosField(body), names: namesField(body, 0) };
    case 'move':
      return { question, moves: movesField(body) };
  }
}

function oneOf<Word extends string>(body: JsonObject, name: string, words: readonly Word[]): Word {
  const given = textField(body, name);
  if (given === null) throw invalidField(name, given, `Mandatory field missing. One of ${words.join(', ')}.`);
  const found = words.find((word) => word === given);
  if (found !== undefined) return found;
  const hint = nearestQuestion(given, words);
  throw invalidField(name, given, `Must be one of ${words.join(', ')}.${hint}`);
}

function nameField(body: JsonObject, name: string): string {
  return checkedName(textField(body, name), name);
}

function checkedName(value: JsonValue, name: string): string {
  if (typeof value !== 'string' || value.length === 0 || value.length > longestName)
    throw invalidField(name, value, `A text of 1 to ${longestName} characters is needed.`);
  return value;
}

function namesField(body: JsonObject, least: number): string[] {
  const list = arrayField(body, 'names') ?? [];
  if (list.length < least || list.length > whatIfLimits.names)
    throw invalidField('names', list.length, `Between ${least} and ${whatIfLimits.names} names must be given.`);
  return list.map((name) => checkedName(name, 'names'));
}

function movesField(body: JsonObject): { instance: string; host: string }[] {
  const list = arrayField(body, 'moves') ?? [];
  if (list.length < 1 || list.length > whatIfLimits.moved)
    throw invalidField('moves', list.length, `Between 1 and ${whatIfLimits.moved} moves must be given.`);
  return list.map((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalidField('moves', value, 'Each must be an object with instance and host.');
    refuseUnknownOptions(value, ['instance', 'host'], 'moves');
    return {
      instance: checkedName(value.instance ?? null, 'moves.instance'),
      host: checkedName(value.host ?? null, 'moves.host'),
    };
  });
}

function countField(body: JsonObject, largest: number): number {
  const { count = null } = body;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= largest) return count;
  throw invalidField('count', count, `Must be a whole number from 1 to ${largest}.`);
}

function ratiosField(body: JsonObject): { cpu?: number; memory?: number; disk?: number } {
  const { least, most } = whatIfLimits.ratio;
  const given = objectField(body, 'ratios') ?? {};
  refuseUnknownOptions(given, whatIfRatios, 'ratios');
  const ratios: { cpu?: number; memory?: number; disk?: number } = {};
  for (const name of whatIfRatios) {
    const value = given[name];
    if (value === undefined) continue;
    if (typeof value !== 'number' || !(value >= least && value <= most))
      throw invalidField('ratios', value, `Must be a number from ${least} to ${most}.`);
    ratios[name] = value;
  }
  if (Object.keys(ratios).length === 0)
    throw invalidField('ratios', given, `At least one of ${whatIfRatios.join(', ')} must be given.`);
  return ratios;
}
