import { text } from '../texts/texts.ts';
import { cronWords } from './cron-words.ts';
import { durationText } from './time.tsx';

interface ScheduleProps {
  /** Seconds, or a cron expression. Null or empty: none. */
  interval: string | null;
  /** IANA name, for cron expressions. */
  timeZone: string;
}

/** A schedule in words. A cron expression follows its words as small text, with its time zone. */
export function Schedule({ interval, timeZone }: ScheduleProps) {
  if (interval === null || interval === '') return <>–</>;
  if (/^\d+$/.test(interval)) return <>{text('common.every', { time: durationText(Number(interval)) })}</>;
  const words = cronWords(interval);
  const expression = (
    <span data-literal>
      {interval} ({timeZone})
    </span>
  );
  if (words === null) return expression;
  return (
    <>
      {words} <small className="vigil-subtle">{expression}</small>
    </>
  );
}
