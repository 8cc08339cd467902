import { Fragment } from 'react';
import { useLiveEntities } from '../live/use-live.ts';
import { language } from '../texts/texts.ts';
import { shortId } from './links.tsx';
import { proseParts } from './prose-parts.ts';

/**
 * A text of the server for people: ids are shortened, goals and strategies have their names, other names of the API are
 * set apart.
 */
export function Prose({ text, nameOf }: { text: string; nameOf?: ((uuid: string) => string | undefined) | undefined }) {
  const goals = useLiveEntities('goal');
  const strategies = useLiveEntities('strategy');
  const parts = proseParts(text).map((part, index) => (
    <Fragment key={index}>
      {part.kind === 'text' && part.text}
      {part.kind === 'uuid' && (nameOf?.(part.text) ?? <code title={part.text}>{shortId(part.text)}</code>)}
      {part.kind === 'name' &&
        ([...strategies, ...goals].find(({ name }) => name === part.text)?.display_name ?? <code>{part.text}</code>)}
    </Fragment>
  ));
  // It is in English whatever the page is in: a screen reader has to know.
  return language() === 'en' ? parts : <span lang="en">{parts}</span>;
}
