import { InputGroup, InputGroupItem, InputGroupText, TextInput } from '@patternfly/react-core';
import { useEffect, useState } from 'react';

/** Pause after the last key in milliseconds before the filter applies. */
const pauseMs = 400;

interface FilterInputProps {
  label: string;
  value: string;
  type?: 'text' | 'datetime-local';
  onChange: (value: string) => void;
}

/** A text filter. It applies after a pause, so that not every letter sends a request. */
export function FilterInput({ label, value, type = 'text', onChange }: FilterInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <InputGroup className="vigil-filter-input">
      <InputGroupText isPlain>{label}</InputGroupText>
      <InputGroupItem isFill>
        <TextInput aria-label={label} type={type} value={text} onChange={(_event, next) => setText(next)} />
      </InputGroupItem>
    </InputGroup>
  );
}
