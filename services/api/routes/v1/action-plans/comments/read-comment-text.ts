import type { FastifyRequest } from 'fastify';
import { badRequest, invalidField } from '../../../../http/faults/fault.ts';
import { readOptions, textField } from '../../../../http/watcher-text/body-fields.ts';
import { longestPlanComment } from './comment-schemas.ts';

/** Control characters other than tabs and line feeds, which terminals act on, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/u;

/**
 * The text of a new comment, without blank ends, and with line feeds as its only line breaks.
 * @throws ApiFault 400 for an empty text, more than `longestPlanComment` characters, control characters and other
 * fields.
 */
export function readCommentText(request: FastifyRequest): string {
  const given = textField(readOptions(request, ['text'], 'comment'), 'text');
  if (given === null) throw badRequest('Missing argument: "text"');
  const text = given.replaceAll('\r\n', '\n').trim();
  if (text === '') throw invalidField('text', given, 'Value should have at least 1 character');
  if ([...text].length > longestPlanComment)
    throw invalidField('text', given, `Value should have at most ${longestPlanComment} characters`);
  if (controls.test(text))
    throw invalidField('text', given, 'Value should have no control characters other than tabs and line breaks');
  return text;
}
