import { Fragment } from 'react';
import { useLiveEntities } from '../live/use-live.ts';
import { language, sentenceOf } from '../texts/texts.ts';
import { shortId } from './links.tsx';
import { proseParts } from './prose-parts.ts';
import { fullTime } from './time.tsx';

/**
 * A server text in readable form: in the language of the page where it has a translation, with short ids, times in the
 * zone of the browser, display names of goals and strategies, and marked API names.
 */
export function Prose({ text, nameOf }: { text: string; nameOf?: ((uuid: string) => string | undefined) | undefined }) {
  const goals = useLiveEntities('goal');
  const strategies = useLiveEntities('strategy');
  const translation = sentenceOf(text);
  const parts = proseParts(translation ?? text).map((part, index) => (
    <Fragment key={index}>
      {part.kind === 'text' && part.text}
      {part.kind === 'time' && (
        <time dateTime={part.text} title={part.text}>
          {fullTime(part.text)}
        </time>
      )}
      {part.kind === 'uuid' && (nameOf?.(part.text) ?? <code title={part.text}>{shortId(part.text)}</code>)}
      {part.kind === 'name' &&
        ([...strategies, ...goals].find(({ name }) => name === part.text)?.display_name ?? <code>{part.text}</code>)}
    </Fragment>
  ));
  // Without a translation it is English, also for screen readers.
  return language() === 'en' || translation !== undefined ? parts : <span lang="en">{parts}</span>;
}
