import { dirname } from 'node:path';
import { nearestName } from '#libs/domain';
import { isOwn } from '../own-sections.ts';
import type { IniEntry } from '../parse-ini.ts';
import { substitute } from '../substitute.ts';
import { postgresUrl } from './addresses.ts';
import { foreignSections, watcherOptions } from './options.ts';
import type { Ask } from './rule.ts';

/** Result for an option: its value moves to a key of the same or another name, or the operator must act. */
export type Verdict = 'taken over' | 'another name' | 'not needed' | 'to do' | 'unknown';

/** An option of Watcher, and its meaning for Vigil. */
export interface Translated {
  entry: IniEntry;
  verdict: Verdict;
  /** Its values as environment variables. */
  variables: Record<string, string>;
  /** Why it is not needed, the remedy, or the probable name. */
  note: string;
}

/** Options of single strategies are in sections that start so. */
const strategyPrefix = 'watcher_strategies.';

/** Translation of each option of Watcher, in order. Of an option that is given several times the last one counts. */
export function translateWatcher(all: readonly IniEntry[]): Translated[] {
  const entries = all.filter((entry) => !isOwn(entry));
  const counting = new Map(entries.map((entry) => [idOf(entry), entry]));
  const request: Ask = (group, option) => {
    const entry = counting.get(`${group}.${option}`);
    return entry && substitute(entry, all).value;
  };
  return [...counting.values()].map((entry) => translate(entry, all, request));
}

function translate(entry: IniEntry, all: readonly IniEntry[], request: Ask): Translated {
  const { value, unresolved } = substitute(entry, all);
  const found = judge(entry, value, request);
  if (unresolved.length === 0 || Object.keys(found.variables).length === 0) return { entry, ...found };
  const names = unresolved.map((name) => `$${name}`).join(', ');
  return { entry, ...found, verdict: 'to do', note: `${names} is not defined here: write a dollar sign as $$` };
}

type Found = Omit<Translated, 'entry'>;

function judge(entry: IniEntry, value: string, request: Ask): Found {
  const { section } = entry;
  const option = nameOf(entry);
  const rule = watcherOptions[section]?.[option];
  const foreign = foreignSections[section];
  if (foreign !== undefined) return plain('not needed', foreign);
  if (section.startsWith(strategyPrefix)) return ofStrategy(section.slice(strategyPrefix.length), option, value);
  if (rule === undefined) return plain('unknown', nearestText(section, option));
  if ('notNeeded' in rule) return plain('not needed', rule.notNeeded);
  if ('toDo' in rule) {
    const text = rule.toDo(value, request);
    return text === null ? plain('not needed', 'it is the default') : plain('to do', text);
  }
  const variables = rule.variables(value, request, entry.line === 0 ? null : dirname(entry.file));
  const names = Object.keys(variables);
  if (names.length === 0) return withoutVariables(section, option, value);
  const isSame = names.every((name) => name.toLowerCase().endsWith(option));
  return { verdict: isSame ? 'taken over' : 'another name', variables, note: rule.note ?? '' };
}

/** Rules that make nothing of this value. */
function withoutVariables(section: string, option: string, value: string): Found {
  if (section === 'database' && postgresUrl(value) === null) {
    return plain(
      'to do',
      `${value.split(':')[0]} is not supported: make a PostgreSQL database, name it in [vigil] database_url, and take the data over by vigil db import (docs/from-watcher.md)`,
    );
  }
  if (option === 'transport_url') {
    return plain(
      'to do',
      'only RabbitMQ is supported: name it in [vigil] amqp_url, or leave it out and messages travel through the database',
    );
  }
  return plain('not needed', 'it is the default, or another section says it');
}

function ofStrategy(strategy: string, option: string, value: string): Found {
  if (option !== 'datasources')
    return plain('unknown', `options of strategies are parameters of audits: vigil strategy show ${strategy}`);
  const sources = value
    .split(',')
    .map((name) => name.trim())
    .join('|');
  return { verdict: 'another name', variables: { VIGIL_STRATEGY_DATASOURCES: `${strategy}=${sources}` }, note: '' };
}

function nearestText(section: string, option: string): string {
  const options = watcherOptions[section];
  if (options === undefined) {
    const nearest = nearestName(section, Object.keys(watcherOptions));
    return `there is no section [${section}]${nearest ? `; [${nearest}]?` : ''}`;
  }
  const nearest = nearestName(option, Object.keys(options));
  return `Watcher has no such option${nearest ? `; ${nearest}?` : ''}`;
}

function plain(verdict: Verdict, note: string): Found {
  return { verdict, variables: {}, note };
}

function nameOf({ key }: IniEntry): string {
  return key.replaceAll('-', '_').toLowerCase();
}

function idOf(entry: IniEntry): string {
  return `${entry.section}.${nameOf(entry)}`;
}
