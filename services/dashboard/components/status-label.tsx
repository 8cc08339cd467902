import { Label } from '@patternfly/react-core';

/** What came of a request: done, refused (4xx) or failed, with its HTTP status. Null: the process ended before it answered. */
export function StatusLabel({ status }: { status: number | null }) {
  if (status === null)
    return (
      <Label isCompact color="orange">
        not answered
      </Label>
    );
  const [color, word] =
    status < 400
      ? (['green', 'done'] as const)
      : status < 500
        ? (['orange', 'refused'] as const)
        : (['red', 'failed'] as const);
  return (
    <Label isCompact color={color}>
      {word} ({status})
    </Label>
  );
}
