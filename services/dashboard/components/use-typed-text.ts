import { useEffect, useRef, useState } from 'react';

/**
 * Text of an input whose value is kept elsewhere, such as in the URL. `write` gets the text `pauseMs` milliseconds
 * after the last key. The text follows other changes of the value. It does not follow its own writes, since the value
 * may appear when the user has already typed further letters.
 */
export function useTypedText(
  value: string,
  pauseMs: number,
  write: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value);
  const written = useRef(value);
  const latest = useRef(write);
  useEffect(() => {
    latest.current = write;
  });
  useEffect(() => {
    if (value !== written.current) setText(value);
    written.current = value;
  }, [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => {
      written.current = text;
      latest.current(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
