import {
  constraintPhrase,
  indicatorText as indicatorIn,
  phraseOf as inPhrase,
  wordsOf as inWords,
  keepsInPlace,
  indicatorTitle as titleOf,
} from '#libs/client';
import { language, nameOf, text } from './texts.ts';

/** An API name within a sentence, in the language of the page. Names without a translation appear in English words. */
export function phraseOf(name: string): string {
  return nameOf(name) ?? inPhrase(name);
}

/** An API name as a label, in the language of the page. */
export function wordsOf(name: string): string {
  return nameOf(name) ?? inWords(name);
}

/** A constraint as the end of a sentence, in the language of the page, such as `has a Manila share`. */
export function constraintOf(name: string): string {
  return nameOf(`constraint.${name}`) ?? constraintPhrase(name);
}

/** A constraint as a label of a report: the reason for no migration, or for an excluded destination. */
export function constraintLabel(name: string): string {
  const reason = constraintOf(name);
  return keepsInPlace(name) ? text('report.kept', { reason }) : capitalized(reason);
}

/** A constraint as the only text of a cell, such as `Has a Manila share`. */
export function constraintTitle(name: string): string {
  return capitalized(constraintOf(name));
}

/** A name that starts with a small letter on purpose, such as `vCPUs`, stays. */
function capitalized(phrase: string): string {
  return /^[a-z][A-Z]/.test(phrase) ? phrase : phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** The name of a goal or strategy in the language of the page. Those without a translation keep their display name. */
export function displayNameOf(kind: 'goal' | 'strategy', known: { name: string; display_name: string }): string {
  return nameOf(`${kind}.${known.name}`) ?? known.display_name;
}

/** Title of an indicator, or of a quantity by its English title, in the language of the page. */
export function indicatorTitle(name: string): string {
  return nameOf(name) ?? titleOf(name);
}

/** An indicator's value in the format of the page's language, with the unit of its definition. */
export function indicatorText(name: string, value: number | null | undefined, unit?: string | null): string {
  return indicatorIn(name, value, unit, language());
}

/** Types of audits, in the order of the forms. */
export const auditTypes = ['ONESHOT', 'CONTINUOUS', 'EVENT'] as const;

const keys = { ONESHOT: 'schedule.oneTime', CONTINUOUS: 'schedule.recurring', EVENT: 'schedule.event' } as const;

/** The type of an audit in words, such as `Recurring`. An unknown type is unchanged. */
export function auditTypeText(type: string): string {
  const known = auditTypes.find((its) => its === type);
  return known ? text(keys[known]) : type;
}
