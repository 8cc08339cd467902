import { expect, it } from 'vitest';
import { InvalidInputError, type Logger, silentLogger } from '#libs/domain';
import { ActionPlanOngoingError } from './errors.ts';
import { logFailure } from './log-failure.ts';

it.each([
  [new ActionPlanOngoingError({ uuid: 'a', state: 'ONGOING' }), 'info'],
  [new InvalidInputError('host', 'is unknown'), 'warn'],
  [new TypeError('x is undefined'), 'error'],
])('the level of %s is %s', (error, level) => {
  const levels: string[] = [];
  const at = (name: string) => () => void levels.push(name);
  const logger: Logger = { ...silentLogger, info: at('info'), warn: at('warn'), error: at('error') };
  logFailure(error, logger);
  expect(levels).toEqual([level]);
});
