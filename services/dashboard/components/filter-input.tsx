import { InputGroup, InputGroupItem, InputGroupText, TextInput } from '@patternfly/react-core';
import { useTypedText } from './use-typed-text.ts';

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
  const [text, setText] = useTypedText(value, pauseMs, onChange);
  return (
    <InputGroup className="vigil-filter-input">
      <InputGroupText isPlain>{label}</InputGroupText>
      <InputGroupItem isFill>
        <TextInput aria-label={label} type={type} value={text} onChange={(_event, next) => setText(next)} />
      </InputGroupItem>
    </InputGroup>
  );
}
